/**
 * One pipe per command for standard output and standard error, so that they stay interleaved as written. Node's own stdio
 * pipes are sockets, on which scripts that open /dev/stdout or /dev/stderr fail. So a named pipe is used, opened at both ends
 * and unlinked at once. Pipes are created in advance, several by one process.
 */
import { execFile } from 'node:child_process';
import { closeSync, constants, openSync, unlinkSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createProgramPipes, type ProgramPipe } from './program-pipes.ts';

export interface OutputPipe {
  reader: Socket;
  /** Passed to the command, and closed here once it has started. */
  writeFd: number;
}

export interface OutputPipes {
  prepare(): void;
  open(): Promise<OutputPipe>;
  /** From one program to the next. Both ends are closed here once the programs have started. */
  openBetween(): Promise<ProgramPipe>;
}

const batchSize = 32;
const maxTries = 5;
const runFile = promisify(execFile);

export function createOutputPipes(folder: string, between = createProgramPipes()): OutputPipes {
  const ready: string[] = [];
  let made = 0;
  let making: Promise<void> | undefined;

  async function make(): Promise<void> {
    const paths = Array.from({ length: batchSize }, (_, index) => join(folder, `output-${made + index}`));
    made += batchSize;
    await runFile('mkfifo', ['-m', '600', ...paths]);
    ready.push(...paths);
  }

  function prepare(): void {
    between.prepare();
    if (making !== undefined || ready.length > batchSize / 2) return;
    making = make().finally(() => {
      making = undefined;
    });
    // `take` handles the error.
    making.catch(() => {});
  }

  async function take(): Promise<string> {
    for (let tries = 1; ; tries++) {
      const path = ready.shift();
      if (path !== undefined) return path;
      prepare();
      try {
        await making;
      } catch (error) {
        // The end of a command may have killed mkfifo.
        if (tries >= maxTries) throw error;
      }
    }
  }

  return {
    prepare,
    async open() {
      const path = await take();
      const { readFd, writeFd } = openEnds(path);
      unlinkSync(path);
      return { reader: new Socket({ fd: readFd, readable: true, writable: false }), writeFd };
    },
    async openBetween() {
      const pipe = await between.open();
      if (pipe !== undefined) return pipe;
      const path = await take();
      const { readFd: guard, writeFd } = openEnds(path);
      // Without O_NONBLOCK, because programs do not expect EAGAIN.
      const readFd = openSync(path, constants.O_RDONLY);
      closeSync(guard);
      unlinkSync(path);
      return { readFd, writeFd };
    },
  };
}

function openEnds(path: string): ProgramPipe {
  // Without O_NONBLOCK, opening the first end would block until the other one is open.
  const readFd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return { readFd, writeFd: openSync(path, constants.O_WRONLY) };
}
