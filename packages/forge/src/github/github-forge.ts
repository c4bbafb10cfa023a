/** Repositories and pull requests on GitHub. */
import { FettleError, type PullRequestRef } from '@fettle/contract';
import type { Forge, ForgeRepository, Proposal, ProposalFacts } from '../forge.ts';
import { describeBody } from './describe-proposal.ts';
import { forgeUnavailable, toForgeError } from './errors.ts';
import type { ForgeLog } from './octokit.ts';
import type { Github } from './open-github.ts';
import {
  ensurePullRequest,
  type Place,
  type Pull,
  type PullState,
  paramsOf,
  stateOf,
} from './pull-request.ts';
import { reportCheck } from './report-check.ts';
import type { FoundRepository, GithubRepository } from './settings.ts';

export interface GithubForgeOptions {
  github: Github;
  log: ForgeLog;
  /** The number of the pull request that an operation has already. */
  findNumber(operationId: string): Promise<number | undefined>;
  /** Stores the pull request. Fails if the worker of the proposal has lost the operation. */
  storePullRequest(
    proposal: Proposal,
    remote: { number: number; url: string; state: PullState },
  ): Promise<unknown>;
  /** How long a worker waits for a pull request. GitHub may answer later, and the next request gets that answer. */
  waitMs?: number;
}

/** Shorter than the timeout of a worker's request. */
const defaultWaitMs = 20_000;
const rememberMs = 60_000;

export function githubForge(options: GithubForgeOptions): Forge {
  const { github, log, waitMs = defaultWaitMs } = options;
  const opening = new Map<string, { headCommit: string; result: Promise<PullRequestRef> }>();
  const found = new Map<string, { repository: FoundRepository; until: number }>();
  if (github.kind === 'token')
    log.warn({}, 'GITHUB_TOKEN cannot report check runs and has no identity of its own; a GitHub App can');

  async function find(name: string): Promise<FoundRepository> {
    const known = found.get(name.toLowerCase());
    if (known && known.until > Date.now()) return known.repository;
    const repository = await github.findRepository(name);
    found.set(name.toLowerCase(), { repository, until: Date.now() + rememberMs });
    return repository;
  }

  return {
    async resolve(input) {
      const name = github.readName(input);
      return name === undefined ? undefined : { forge: 'github', ...(await find(name)) };
    },

    gitToken: (repository, request) => github.mintWorkerToken(toGithub(repository), request),

    /** One at a time for each operation: an earlier request may still be under way. */
    async openPullRequest(repository, proposal, readFacts) {
      const { operationId, headCommit } = proposal;
      const running = opening.get(operationId);
      const isSame = running?.headCommit === headCommit;
      const result = isSame
        ? running.result
        : (async () => {
            await running?.result.catch(() => {});
            return open(options, repository, { proposal, facts: await readFacts() });
          })();
      if (!isSame) {
        const entry = { headCommit, result };
        opening.set(operationId, entry);
        const forget = () => opening.get(operationId) === entry && opening.delete(operationId);
        result.then(forget, forget);
      }
      return within(waitMs, result);
    },

    endOperation: github.endOperation,
  };
}

async function open(
  { github, log, findNumber, storePullRequest }: GithubForgeOptions,
  repository: ForgeRepository,
  { proposal, facts }: { proposal: Proposal; facts: ProposalFacts },
): Promise<PullRequestRef> {
  const { operationId, title, labels, reviewers } = proposal;
  const octokit = github.octokitFor(toGithub(repository), { operationId });
  const place: Place = { octokit, name: repository.name };
  try {
    const number = await findNumber(operationId);
    const text = { ...proposal, body: describeBody(proposal, facts), number };
    const { pull } = await ensurePullRequest(place, text);
    const skipRefused = (what: string, act: () => Promise<unknown>) => skip(log, operationId, { what, act });
    if (number === undefined) {
      await skipRefused('labels', () => addLabels(place, pull, labels));
      await skipRefused('reviewers', () => requestReviews(place, pull, reviewers));
    }
    if (github.kind === 'app') await skipRefused('check run', () => reportCheck(place, proposal, facts));
    // Last: an attempt that did not get here does all of it again.
    await storePullRequest(proposal, { number: pull.number, url: pull.html_url, state: stateOf(pull) });
    return { number: pull.number, url: pull.html_url, title };
  } catch (error) {
    throw toForgeError(error, `the pull request in ${repository.name}`);
  }
}

/** A pull request without them is better than none. */
async function skip(
  log: ForgeLog,
  operationId: string,
  { what, act }: { what: string; act: () => Promise<unknown> },
): Promise<void> {
  try {
    await act();
  } catch (error) {
    const known = toForgeError(error, `the ${what}`);
    if (!(known instanceof FettleError) || known.code !== 'forge_refused') throw known;
    log.warn({ operationId, why: known.message }, `GitHub refused the ${what} of a pull request`);
  }
}

async function addLabels({ octokit, name }: Place, { number }: Pull, labels: string[]): Promise<void> {
  if (labels.length === 0) return;
  await octokit.request('POST /repos/{owner}/{repo}/issues/{issue_number}/labels', {
    ...{ ...paramsOf(name), issue_number: number, labels },
  });
}

async function requestReviews(
  { octokit, name }: Place,
  { number }: Pull,
  reviewers: string[],
): Promise<void> {
  if (reviewers.length === 0) return;
  const teams = reviewers.flatMap((each) => (each.includes('/') ? [each.split('/')[1] ?? ''] : []));
  await octokit.request('POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers', {
    ...{ ...paramsOf(name), pull_number: number },
    ...{ reviewers: reviewers.filter((each) => !each.includes('/')), team_reviewers: teams },
  });
}

function toGithub({ githubId, name, installationId }: ForgeRepository): GithubRepository {
  if (githubId === undefined) throw new Error(`${name} has no id on GitHub`);
  return { githubId, name, installationId };
}

async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(forgeUnavailable('GitHub did not answer in time', 1_000)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
