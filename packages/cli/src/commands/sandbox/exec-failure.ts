/** What a person is told when `sandbox exec` fails by itself, and not the program in it. */
import { GitError, type GitErrorCode } from '@fettle/git';
import { SandboxError } from '@fettle/sandbox';
import { CliError, exitCodes } from '../../cli-error.ts';

/** Whoever named the repository can mend these. */
const wrongRepository: readonly GitErrorCode[] = [
  'auth_required',
  'bad_ref',
  'bad_source',
  'not_a_repository',
  'unsafe_ownership',
];

/** Anything else is a bug, and stays what it is. */
export function explainExecFailure(error: unknown, repository: string | undefined): unknown {
  if (error instanceof SandboxError) return explainSandbox(error);
  if (error instanceof GitError) return explainGit(error, repository ?? '');
  return error;
}

function explainSandbox({ code, message }: SandboxError): CliError {
  if (code !== 'not_found')
    return new CliError(code, message, {
      exitCode: exitCodes.sandboxFailed,
      advice: "'fettle doctor' looks closer.",
    });
  const advice = 'Name a program that the sandbox has, or a script of the repository by its path.';
  return new CliError(code, message, { exitCode: exitCodes.programNotFound, advice });
}

function explainGit({ code, message }: GitError, repository: string): CliError {
  // A folder that is not there is a slip of the pen; a host that is not there may be back soon.
  const isMistake = wrongRepository.includes(code) || (code === 'unreachable' && !repository.includes(':'));
  const sentence = `--repo: ${message}`;
  if (!isMistake)
    return new CliError('unavailable', sentence, {
      exitCode: exitCodes.sandboxFailed,
      advice: 'Try again in a moment, or name a copy on this machine.',
    });
  const advice = 'Give the path or the address of a git repository that you can read.';
  return new CliError('repository_not_found', sentence, { exitCode: exitCodes.usage, advice });
}
