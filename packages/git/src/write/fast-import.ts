import { failureFromStderr, GitError } from '../process/git-error.ts';
import { startGit } from '../process/git-process.ts';

export interface FastImport {
  pid: number | undefined;
  /** False as soon as the process is gone. */
  isAlive(): boolean;
  /** Sends a stream that ends in `get-mark` and resolves with the object id of the answer. */
  send(stream: readonly Uint8Array[]): Promise<string>;
  /** Resolves with what the process wrote to standard error in its life. */
  close(): Promise<string>;
}

interface Pending {
  resolve(oid: string): void;
  reject(error: GitError): void;
}

const writeTimeoutMs = 60_000;

/** A lasting `git fast-import`; one stream at a time. */
export function startFastImport(mirror: string): FastImport {
  const git = startGit({
    gitDir: mirror,
    // --done: when our process is killed in the middle of a stream, nothing of that stream counts.
    args: ['fast-import', '--quiet', '--done', '--date-format=raw'],
    // A small pack for each checkpoint instead of a second process that unpacks it: 3 ms instead of 8. Git does
    // not flush loose objects either; what a power cut takes is the newest checkpoint, not the repository.
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
      const late = () => git.stop(new GitError('timeout', `A checkpoint took over ${writeTimeoutMs} ms.`));
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
