/** A command that cannot be run writes the reason to its standard error and has an exit code as in a shell, for the next step. */
import { write } from 'node:fs';
import { promisify } from 'node:util';
import { SandboxError } from '../../protocol/sandbox-error.ts';
import { show } from '../../protocol/workspace-path.ts';
import { describeFailure } from '../describe-failure.ts';
import type { Ending } from './start-program.ts';

const notFoundCode = 127;
const notExecutableCode = 126;
const failedCode = 1;

const spawnErrors: Record<string, string> = {
  EACCES: 'permission denied',
  E2BIG: 'its arguments are too long',
  EAGAIN: 'there are too many processes',
  ENOTDIR: 'a part of its path is not a directory',
};

const writeTo = promisify(write);

/** Rethrows an error that the command did not cause. */
export async function reportFault(error: unknown, name: string, errorFd: number): Promise<Ending> {
  const { exitCode, message } = explain(error);
  // Asynchronous: if the pipe is full, this thread has to read from it.
  await writeTo(errorFd, `${show(name)}: ${message}\n`).catch(() => {
    // The reader has exited, or the disk is full. A shell continues too.
  });
  return { exitCode, signal: null };
}

function explain(error: unknown): { exitCode: number; message: string } {
  if (error instanceof SandboxError) return { exitCode: failedCode, message: error.message };
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  // Node rejects an empty program name.
  if (code === 'ERR_INVALID_ARG_VALUE') return { exitCode: notFoundCode, message: 'command not found' };
  if (syscall === undefined) throw error;
  if (!syscall.startsWith('spawn')) return { exitCode: failedCode, message: describeFailure(error).message };
  if (code === 'ENOENT') return { exitCode: notFoundCode, message: 'command not found' };
  return { exitCode: notExecutableCode, message: `cannot be started: ${spawnErrors[code] ?? code}` };
}
