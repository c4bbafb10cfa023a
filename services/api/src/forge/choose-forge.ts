/** One forge for all repositories: each request goes to the forge of its repository. */
import { FettleError } from '@fettle/contract';
import type { Forge, Github } from '@fettle/forge';

export interface Forges {
  local: Forge;
  /** Undefined if GitHub is not connected. */
  github: { forge: Forge; readName: Github['readName'] } | undefined;
}

const connect =
  'GitHub is not connected: set GITHUB_TOKEN and GITHUB_REPOSITORIES, or run `fettle github setup`';

export function chooseForge({ local, github }: Forges): Forge {
  const of = (name: 'local' | 'github'): Forge => {
    if (name === 'local') return local;
    if (github) return github.forge;
    throw new FettleError('forge_refused', connect);
  };
  return {
    async resolve(input) {
      const isUrl = /^https?:\/\//i.test(input);
      const isOnGithub = github?.readName(input) !== undefined;
      if (isUrl && isOnGithub) return github?.forge.resolve(input);
      try {
        return await local.resolve(input);
      } catch (error) {
        if (!(error instanceof FettleError)) throw error;
        if (isOnGithub) return github?.forge.resolve(input);
        if (github === undefined && looksLikeGithub(input)) throw addAdvice(error);
        throw error;
      }
    },
    gitToken: (repository, request) => of(repository.forge).gitToken(repository, request),
    openPullRequest: (repository, ...rest) => of(repository.forge).openPullRequest(repository, ...rest),
    async endOperation(operationId) {
      await github?.forge.endOperation(operationId);
    },
  };
}

const looksLikeGithub = (input: string) =>
  /^https:\/\/github\.com\//i.test(input) || /^[\w-]+\/[\w.-]+$/.test(input);

function addAdvice({ code, message, field }: FettleError): FettleError {
  return new FettleError(code, `${message}. ${connect}`, field);
}
