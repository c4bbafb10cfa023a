/**
 * The record contains no secrets, so a resumed attempt does not know them. Their tokens in the conversation are resolved
 * by reading the texts that they came from: first the files that tool calls named, then all others.
 */
import { listTouchedPaths } from '@fettle/agent';
import { listTree, readBlobsAt, type TreeEntry } from '@fettle/git';
import { listTokens, maskSecrets, secretOf } from '@fettle/secrets';
import { firstUserMessage } from '../../act/turn-options.ts';
import type { Attempt } from '../../attempt/attempt.ts';
import type { Earlier } from '../../attempt/read-earlier.ts';
import type { Workspace } from '../../prepare/workspace.ts';

/** The model does not see larger files either. */
const maxFileBytes = 1_000_000;
const maxBytes = 20_000_000;
const maxMs = 5_000;
const batchFiles = 100;

export async function findSecretsAgain(
  attempt: Pick<Attempt, 'claim' | 'messages' | 'secrets' | 'stop'>,
  workspace: Workspace,
  { conversation: { messages } }: Earlier,
): Promise<void> {
  const { mirror, baseCommit, head } = workspace;
  const { vault } = attempt.secrets.masking;
  const shown = listTokens(JSON.stringify(messages), vault);
  const isDone = () => shown.every((token) => secretOf(vault, token) !== undefined);
  if (isDone()) return;
  maskSecrets(firstUserMessage(attempt, workspace), vault);
  for (const { text } of await attempt.messages.readDelivered()) maskSecrets(text, vault);
  const deadline = performance.now() + maxMs;
  const named = new Set(listTouchedPaths(messages));
  const seen = new Set<string>();
  let bytesLeft = maxBytes;
  for (const commit of new Set([head(), baseCommit])) {
    if (isDone()) return;
    const isWanted = ({ type, oid, size = 0 }: TreeEntry) =>
      type === 'blob' && size > 0 && size <= maxFileBytes && !seen.has(oid);
    const entries = (await listTree(mirror, commit)).filter(isWanted);
    const rank = ({ path }: TreeEntry) => (named.has(path) ? 0 : 1);
    for (const batch of splitBatches(entries.toSorted((a, b) => rank(a) - rank(b)))) {
      const bytes = batch.reduce((sum, { size = 0 }) => sum + size, 0);
      if (isDone() || bytes > bytesLeft || performance.now() > deadline) return;
      attempt.stop.signal.throwIfAborted();
      bytesLeft -= bytes;
      for (const { oid } of batch) seen.add(oid);
      const paths = batch.map(({ path }) => path);
      const blobs = await readBlobsAt(mirror, commit, paths, { maxBytes });
      for (const { bytes: content } of blobs.values()) maskSecrets(content.toString('utf8'), vault);
    }
  }
}

/** Large enough to save git processes, and small enough that scanning does not block the event loop for long. */
function splitBatches(entries: TreeEntry[]): TreeEntry[][] {
  const batches: TreeEntry[][] = [];
  let bytes = 0;
  for (const entry of entries) {
    const last = batches.at(-1);
    bytes += entry.size ?? 0;
    if (last && last.length < batchFiles && bytes <= maxFileBytes) last.push(entry);
    else {
      batches.push([entry]);
      bytes = entry.size ?? 0;
    }
  }
  return batches;
}
