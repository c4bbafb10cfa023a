import { failureFromStderr, GitError } from '../process/git-error.ts';
import { startGit } from '../process/git-process.ts';

export interface FastImport {
  pid: number | undefined;
  /** False once the process has exited. */
  isAlive(): boolean;
  /** Sends a stream that ends in `get-mark` and resolves with the object id that git prints. */
  send(stream: readonly Uint8Array[]): Promise<string>;
  /** Resolves with the standard error of the process. */
  close(): Promise<string>;
}

interface Pending {
  resolve(oid: string): void;
  reject(error: GitError): void;
}

const writeTimeoutMs = 60_000;

/** A long-running `git fast-import` that takes one stream at a time. */
export function startFastImport(mirror: string): FastImport {
  const git = startGit({
    gitDir: mirror,
    // --done: if this process is killed in the middle of a stream, git discards the stream.
    args: ['fast-import', '--quiet', '--done', '--date-format=raw'],
    // Keeps a small pack for each checkpoint, where git would start a second process to unpack it: 3 ms instead of 8.
    // Git does not flush loose objects either. A power failure may lose the newest checkpoint, not the repository.
    settings: ['fastimport.unpackLimit=0', 'core.fsync=none'],
    timeoutMs: 0,
  });
  let pending: Pending | undefined;
  let alive = true;
  let answer = '';

  git.stdout.on('data', (chunk: Buffer) => {
    answer += chunk.toString('latin1');
    const lineEnd = answer.indexOf('\n');
    if (lineEnd === -1) return;
    pending?.resolve(answer.slice(0, lineEnd));
    pending = undefined;
    answer = '';
  });
  const exited = git.exited.then(({ stderr, stopped }) => {
    alive = false;
    pending?.reject(stopped ?? failureFromStderr('fast-import', stderr));
    pending = undefined;
    return stderr;
  });

  const send = (stream: readonly Uint8Array[]) =>
    new Promise<string>((resolve, reject) => {
      if (!alive) return reject(new GitError('failed', 'git fast-import is not running.'));
      const late = () =>
        git.stop(new GitError('timeout', `A checkpoint took longer than ${writeTimeoutMs} ms.`));
      const timer = setTimeout(late, writeTimeoutMs);
      pending = {
        resolve: (oid) => {
          clearTimeout(timer);
          resolve(oid);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      git.stdin.cork();
      for (const chunk of stream) git.stdin.write(chunk);
      git.stdin.uncork();
    });

  const close = async () => {
    if (alive) git.stdin.end('done\n');
    return exited;
  };
  return { pid: git.pid, isAlive: () => alive, send, close };
}
