/** Explains a failure of `sandbox exec` itself, as opposed to one of the program. */
import { GitError, type GitErrorCode } from '@fettle/git';
import { SandboxError } from '@fettle/sandbox';
import { CliError, exitCodes } from '../../cli-error.ts';

/** The user can fix these by naming another repository. */
const wrongRepository: readonly GitErrorCode[] = [
  'auth_required',
  'bad_ref',
  'bad_source',
  'not_a_repository',
  'unsafe_ownership',
];

/** Returns any other error unchanged: it is a bug. */
export function explainExecFailure(error: unknown, repository: string | undefined): unknown {
  if (error instanceof SandboxError) return explainSandbox(error);
  if (error instanceof GitError) return explainGit(error, repository ?? '');
  return error;
}

function explainSandbox({ code, message }: SandboxError): CliError {
  if (code !== 'not_found')
    return new CliError(code, message, {
      exitCode: exitCodes.sandboxFailed,
      advice: "Run 'fettle doctor' for details.",
    });
  const advice = 'Use a program that exists in the sandbox, or the path of a script in the repository.';
  return new CliError(code, message, { exitCode: exitCodes.programNotFound, advice });
}

function explainGit({ code, message }: GitError, repository: string): CliError {
  // A missing folder is a typo. An unreachable host may be back soon.
  const isMistake = wrongRepository.includes(code) || (code === 'unreachable' && !repository.includes(':'));
  const text = `--repo: ${message}`;
  if (!isMistake)
    return new CliError('unavailable', text, {
      exitCode: exitCodes.sandboxFailed,
      advice: 'Try again later, or use a copy on this machine.',
    });
  const advice = 'Give the path or the URL of a git repository that you can read.';
  return new CliError('repository_not_found', text, { exitCode: exitCodes.usage, advice });
}
