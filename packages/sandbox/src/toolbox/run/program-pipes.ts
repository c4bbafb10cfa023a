/**
 * Pipes between the programs of a pipeline. Node cannot create a pipe, and a named pipe differs from one: a program that opens
 * /dev/stdin after the writer has exited would block forever. But a shell creates a pipe for each short here-document, and
 * through /proc we can open both of its ends. Pipes are created in advance, several by one shell, once the first was needed.
 */
import { spawn } from 'node:child_process';
import { constants, openSync, readlinkSync, readSync } from 'node:fs';
import { isMissing } from '../describe-failure.ts';

export interface ProgramPipe {
  readFd: number;
  writeFd: number;
}

export interface ProgramPipes {
  prepare(): void;
  /** Undefined where such pipes cannot be created. */
  open(): Promise<ProgramPipe | undefined>;
}

/** The descriptors that every shell supports, besides the standard ones. */
const shellFds = [3, 4, 5, 6, 7, 8, 9];
const refillBelow = 3;
const maxTries = 5;
const hereDocumentContent = 'x\n';
const hereDocumentScript = [
  `exec ${shellFds.map((fd) => `${fd}<<'END'`).join(' ')}\n`,
  ...shellFds.map(() => `${hereDocumentContent}END\n`),
  'echo ready\nread end\n',
].join('');

export function createProgramPipes(): ProgramPipes {
  const ready: ProgramPipe[] = [];
  let isWanted = false;
  let isSupported = process.platform === 'linux';
  let making: Promise<void> | undefined;

  async function make(): Promise<void> {
    const shell = spawn('/bin/sh', ['-c', hereDocumentScript], {
      env: {},
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const ended = new Promise<false>((resolve) => {
      for (const event of ['close', 'error']) shell.once(event, () => resolve(false));
    });
    const answered = new Promise<true>((resolve) => shell.stdout.once('data', () => resolve(true)));
    if (await Promise.race([answered, ended])) take(shell.pid as number);
    shell.kill('SIGKILL');
    await ended;
  }

  function take(pid: number): void {
    try {
      for (const fd of shellFds) ready.push(openThrough(`/proc/${pid}/fd/${fd}`));
    } catch (error) {
      // Supported only if the error means that the shell has already exited.
      isSupported = isMissing(error);
    }
  }

  function prepare(): void {
    if (making !== undefined || !isWanted || !isSupported || ready.length > refillBelow) return;
    making = make()
      .catch(() => {
        isSupported = false;
      })
      .finally(() => {
        making = undefined;
      });
  }

  return {
    prepare,
    async open() {
      isWanted = true;
      // Another command may have used up the pipes, or its end may have killed the shell.
      for (let tries = 0; ready.length === 0 && tries < maxTries; tries += 1) {
        prepare();
        await making;
      }
      return ready.shift();
    },
  };
}

function openThrough(path: string): ProgramPipe {
  // Some shells use a file instead.
  if (!readlinkSync(path).startsWith('pipe:')) throw new Error('a here-document is not a pipe');
  const writeFd = openSync(path, constants.O_WRONLY);
  const readFd = openSync(path, constants.O_RDONLY);
  readSync(readFd, Buffer.alloc(hereDocumentContent.length));
  return { readFd, writeFd };
}
