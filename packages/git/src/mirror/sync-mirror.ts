import { resolve } from 'node:path';
import { GitError } from '../process/git-error.ts';
import { runGit } from '../process/git-process.ts';
import { retryLocked } from '../process/retry-locked.ts';
import { serialize } from '../process/serialize.ts';
import { openSource, servingOption } from '../process/source.ts';
import { withTokenFile } from '../process/token-file.ts';
import { createMirror, mirrorExists, replaceMirror } from './create-mirror.ts';
import { listRemote, type RemoteRefs, type Transport } from './list-remote.ts';

export interface SyncMirrorOptions {
  /** Path of our bare repository, which is created if it is missing. */
  mirror: string;
  source: string;
  token?: string | undefined;
  protocols?: readonly string[] | undefined;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  /** Called when the mirror was damaged, for example by a power failure, and has been recreated. */
  onRebuilt?(why: GitError): void;
}

export interface MirrorState {
  /** Undefined only when there is no branch. */
  defaultBranch: string | undefined;
  heads: Map<string, string>;
  /** No branch has a commit yet. */
  empty: boolean;
}

const defaultTimeoutMs = 10 * 60_000;

/** Fetches all branches of the source into the mirror. Does not touch the private refs of the mirror. */
export async function syncMirror(options: SyncMirrorOptions): Promise<MirrorState> {
  const mirror = resolve(options.mirror);
  const source = await openSource(options.source);
  const { token, protocols, signal, timeoutMs = defaultTimeoutMs } = options;
  return serialize(
    mirror,
    () =>
      withTokenFile(token, async (env) => {
        const fetchInto = (gitDir: string) =>
          fetchHeads({ gitDir, source, env, protocols, signal, timeoutMs });
        const created = (await mirrorExists(mirror)) ? undefined : await createMirror(mirror, fetchInto);
        if (created) return created;
        try {
          return await retryLocked(mirror, () => fetchInto(mirror));
        } catch (error) {
          if (!(error instanceof GitError && (await isDamage(mirror, error)))) throw error;
          const rebuilt = await replaceMirror(mirror, fetchInto);
          if (!rebuilt) throw error;
          options.onRebuilt?.(error);
          return rebuilt;
        }
      }),
    signal,
  );
}

/** Git's messages for missing or damaged objects and refs, in the mirror or in the source. */
const damageSigns =
  /reference broken|[Bb]ad object|did not send all necessary objects|is corrupt|object file \S+ is empty|packfile \S+ (cannot|is|claims|index)|index file \S+ is too small|unable to (read|parse|unpack) (object|tree|commit|sha1|[0-9a-f]{40})|missing (blob|commit|object|tree)/;

/** A mirror is a cache, so a damaged one is recreated, not repaired. */
async function isDamage(mirror: string, { code, detail }: GitError): Promise<boolean> {
  if (code !== 'not_a_repository') return damageSigns.test(detail);
  // Git does not say whether it means the mirror or the source.
  return readHeads(mirror).then(
    () => false,
    () => true,
  );
}

async function fetchHeads(transport: Transport): Promise<MirrorState> {
  const { gitDir, source, ...rest } = transport;
  const [remote, before] = await Promise.all([listRemote(transport), readHeads(gitDir)]);
  if (sameHeads(remote.heads, before)) return stateOf(remote, before);
  await runGit({
    ...rest,
    gitDir,
    network: source.kind === 'remote',
    args: [
      ...['fetch', '--quiet', '--no-tags', '--prune', '--no-write-fetch-head', '--no-auto-maintenance'],
      // A shallow source makes the mirror shallow at the same place.
      ...['--no-recurse-submodules', '--update-shallow'],
      ...servingOption(source, 'upload-pack'),
      ...['--', source.address, '+refs/heads/*:refs/heads/*'],
    ],
  });
  return stateOf(remote, await readHeads(gitDir));
}

async function readHeads(gitDir: string): Promise<Map<string, string>> {
  const args = ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads/'];
  const { stdout } = await runGit({ gitDir, args });
  const lines = stdout.toString().split('\n').filter(Boolean);
  return new Map(lines.map((line) => [line.slice(41 + 'refs/heads/'.length), line.slice(0, 40)]));
}

function sameHeads(left: Map<string, string>, right: Map<string, string>): boolean {
  return left.size === right.size && [...left].every(([branch, commit]) => right.get(branch) === commit);
}

function stateOf(remote: RemoteRefs, heads: Map<string, string>): MirrorState {
  return { defaultBranch: pickDefault(remote, heads), heads, empty: heads.size === 0 };
}

/** HEAD's branch. For a detached HEAD, a branch at the same commit; main and master come first. */
function pickDefault(remote: RemoteRefs, heads: Map<string, string>): string | undefined {
  if (remote.headBranch !== undefined && heads.has(remote.headBranch)) return remote.headBranch;
  const all = [...heads.keys()];
  const atHead = all.filter((branch) => heads.get(branch) === remote.headCommit);
  const candidates = atHead.length > 0 ? atHead : all;
  return ['main', 'master'].find((branch) => candidates.includes(branch)) ?? candidates[0];
}
