import { runProgram } from '@fettle/process';
import { gitEnvironment } from './config.ts';

export class GitFailure extends Error {
  override readonly name = 'GitFailure';
  readonly exitCode: number | undefined;
  readonly stdout: string;

  constructor(
    args: readonly string[],
    result: { exitCode: number | undefined; stdout: string; stderr: string },
  ) {
    super(`git ${args[0]} failed: ${result.stderr.trim() || result.stdout.trim()}`);
    this.exitCode = result.exitCode;
    this.stdout = result.stdout;
  }
}

interface GitOptions {
  input?: string | Uint8Array;
  environment?: Record<string, string>;
}

export async function runGitBytes(
  folder: string,
  args: readonly string[],
  { input, environment }: GitOptions = {},
): Promise<Buffer> {
  const { exitCode, stdout, stderr } = await runProgram(['git', ...args], {
    cwd: folder,
    environment: { ...gitEnvironment(), ...environment },
    input,
  });
  if (exitCode !== 0) throw new GitFailure(args, { exitCode, stdout: stdout.toString(), stderr });
  return stdout;
}

/** Without the line end of the last line. */
export async function runGit(folder: string, args: readonly string[], options?: GitOptions): Promise<string> {
  return (await runGitBytes(folder, args, options)).toString().replace(/\n$/, '');
}
