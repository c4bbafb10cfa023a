/**
 * What a person has to look at in a proposal. Judged on the commit itself, where everything has come together, so that
 * nothing has to be remembered from one part or one attempt to the next; what no proposal may have ends it here.
 */
import { type FileDiff, readBlobsAt } from '@fettle/git';
import type { ContentObjection, Objection } from '@fettle/policy';
import type { Workspace } from '../prepare/workspace.ts';
import type { JudgedChange } from '../save/judge-change.ts';

export interface Remark {
  /** The file, or the command. */
  path: string;
  rule: string;
  reason: string;
  /** What is meant, in each place. */
  tokens: string[];
}

export interface Remarks {
  remarks: Remark[];
  refused: { path: string; objection: Objection | ContentObjection }[];
}

const filesAtOnce = 20;
const bytesAtOnce = 150_000_000;

type Looked = Pick<Workspace, 'mirror' | 'head' | 'judgeChange'>;

export async function listRemarks(workspace: Looked, files: FileDiff[]): Promise<Remarks> {
  const found: { path: string; objection: Objection | ContentObjection }[] = [];
  for (let at = 0; at < files.length; at += filesAtOnce)
    for (const change of await readChanges(workspace, files.slice(at, at + filesAtOnce)))
      for (const objection of await workspace.judgeChange(change))
        found.push({ path: change.path, objection });
  const remarks = new Map<string, Remark>();
  for (const { path, objection } of found) {
    const { rule, reason } = objection;
    const remark = remarks.get(`${rule}\0${path}`) ?? { path, rule, reason, tokens: [] };
    if ('token' in objection && objection.token !== undefined) remark.tokens.push(objection.token);
    if (objection.decision === 'approve') remarks.set(`${rule}\0${path}`, remark);
  }
  return {
    remarks: [...remarks.values()],
    refused: found.filter(({ objection }) => objection.decision === 'deny'),
  };
}

async function readChanges({ mirror, head }: Looked, files: FileDiff[]): Promise<JudgedChange[]> {
  const gone = files.flatMap(({ path, oldPath, status }) =>
    status === 'deleted' ? [path] : (oldPath ?? []),
  );
  const written = files.flatMap(({ path, status }) => (status === 'deleted' ? [] : [path]));
  const blobs = await readBlobsAt(mirror, head(), written, { maxBytes: bytesAtOnce });
  return [
    ...gone.map((path) => ({ path, kind: 'deleted' as const, bytes: Buffer.alloc(0) })),
    ...[...blobs].map(([path, { bytes, symlink }]) => ({
      path,
      kind: symlink ? ('symlink' as const) : ('file' as const),
      bytes,
    })),
  ];
}
