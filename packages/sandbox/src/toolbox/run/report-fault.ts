// A command that could not be run says why on its standard error and ends as in a shell, so that the next step can go
// by it.
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
  EACCES: 'it may not be executed',
  E2BIG: 'its arguments are too long',
  EAGAIN: 'there are too many processes',
  ENOTDIR: 'a part of its path is not a directory',
};

const writeTo = promisify(write);

/** Fails with the same error when that is none of the command's. */
export async function reportFault(error: unknown, name: string, errorFd: number): Promise<Ending> {
  const { exitCode, sentence } = explain(error);
  // By another thread: where the pipe is full, it is this one that has to read from it.
  await writeTo(errorFd, `${show(name)}: ${sentence}\n`).catch(() => {
    // Nobody reads it any more, or the disk is full; a shell goes on too.
  });
  return { exitCode, signal: null };
}

function explain(error: unknown): { exitCode: number; sentence: string } {
  if (error instanceof SandboxError) return { exitCode: failedCode, sentence: error.message };
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  // An empty name, which node does not even look for.
  if (code === 'ERR_INVALID_ARG_VALUE') return { exitCode: notFoundCode, sentence: 'command not found' };
  if (syscall === undefined) throw error;
  if (!syscall.startsWith('spawn')) return { exitCode: failedCode, sentence: describeFailure(error).message };
  if (code === 'ENOENT') return { exitCode: notFoundCode, sentence: 'command not found' };
  return { exitCode: notExecutableCode, sentence: `cannot be started: ${spawnErrors[code] ?? code}` };
}
