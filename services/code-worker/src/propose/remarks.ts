/**
 * Collects the remarks of a proposal. Files are judged in the final commit, so that nothing has to be remembered from
 * single tool calls or earlier attempts. Commands are taken from the record.
 */
import type { EventBody } from '@fettle/contract';
import { type FileDiff, readBlobsAt } from '@fettle/git';
import type { ContentObjection, Objection } from '@fettle/policy';
import type { Workspace } from '../prepare/workspace.ts';
import type { JudgedChange } from '../save/judge-change.ts';
import type { Remark } from './remark.ts';

export interface FileRemarks {
  remarks: Remark[];
  /** Changes that no proposal may contain. */
  refused: { path: string; objection: Objection | ContentObjection }[];
}

const batchFiles = 20;
const maxBatchBytes = 150_000_000;

type Judged = Pick<Workspace, 'mirror' | 'head' | 'judgeChange'>;

export async function listFileRemarks(workspace: Judged, files: FileDiff[]): Promise<FileRemarks> {
  const found: { path: string; objection: Objection | ContentObjection }[] = [];
  for (let at = 0; at < files.length; at += batchFiles)
    for (const change of await readChanges(workspace, files.slice(at, at + batchFiles)))
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

async function readChanges({ mirror, head }: Judged, files: FileDiff[]): Promise<JudgedChange[]> {
  const deleted = files.flatMap(({ path, oldPath, status }) =>
    status === 'deleted' ? [path] : (oldPath ?? []),
  );
  const written = files.flatMap(({ path, status }) => (status === 'deleted' ? [] : [path]));
  const blobs = await readBlobsAt(mirror, head(), written, { maxBytes: maxBatchBytes });
  return [
    ...deleted.map((path) => ({ path, kind: 'deleted' as const, bytes: Buffer.alloc(0) })),
    ...[...blobs].map(([path, { bytes, kind }]) => ({
      path,
      kind: kind === 'link' ? ('symlink' as const) : ('file' as const),
      bytes,
    })),
  ];
}

const maxCommandRemarks = 100;

/** Collects the commands that a rule marks for the reader, one per rule, from the events of all attempts. */
export function createCommandRemarks() {
  const remarks = new Map<string, Remark>();
  return {
    observe(events: EventBody[]): void {
      for (const event of events) {
        if (event.type !== 'part.finished' || event.part.kind !== 'tool') continue;
        for (const { rule, token, reason } of event.part.remarks ?? [])
          if (remarks.size < maxCommandRemarks) remarks.set(rule, { path: token, rule, reason, tokens: [] });
      }
    },
    list: (): Remark[] => [...remarks.values()],
  };
}
