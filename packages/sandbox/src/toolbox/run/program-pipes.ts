// Pipes between the programs of a line. Node can make none, and a named pipe is not quite one: who opens /dev/stdin once
// the writer has ended waits there for ever. But a shell makes one for each short here-document, and through /proc it can
// be opened here, at both ends. They are made ahead, several by one process, as soon as the first was needed.
import { spawn } from 'node:child_process';
import { constants, openSync, readlinkSync, readSync } from 'node:fs';
import { isMissing } from '../describe-failure.ts';

export interface ProgramPipe {
  readFd: number;
  writeFd: number;
}

export interface ProgramPipes {
  prepare(): void;
  /** Undefined where such pipes cannot be had. */
  open(): Promise<ProgramPipe | undefined>;
}

/** All that every shell has names for, beyond the three of its own. */
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
  let canBeHad = process.platform === 'linux';
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
      // Either the shell is gone already, or it is of no use.
      canBeHad = isMissing(error);
    }
  }

  function prepare(): void {
    if (making !== undefined || !isWanted || !canBeHad || ready.length > refillBelow) return;
    making = make()
      .catch(() => {
        canBeHad = false;
      })
      .finally(() => {
        making = undefined;
      });
  }

  return {
    prepare,
    async open() {
      isWanted = true;
      // The end of another command may have taken the shell along, or another command the pipes.
      for (let tries = 0; ready.length === 0 && tries < maxTries; tries += 1) {
        prepare();
        await making;
      }
      return ready.shift();
    },
  };
}

function openThrough(path: string): ProgramPipe {
  // Some shells write a file instead.
  if (!readlinkSync(path).startsWith('pipe:')) throw new Error('a here-document that is no pipe');
  const writeFd = openSync(path, constants.O_WRONLY);
  const readFd = openSync(path, constants.O_RDONLY);
  readSync(readFd, Buffer.alloc(hereDocumentContent.length));
  return { readFd, writeFd };
}
