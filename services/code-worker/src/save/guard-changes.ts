/**
 * Decides which changes may be saved. The worker judges the resulting tree itself, because a sandbox may report anything:
 * a change can remove files without naming them, by replacing a parent folder or by turning a file into a folder.
 */
import type { Denial } from '@fettle/contract';
import { isModulesFile, pathFlaw, type TreePaths } from '@fettle/git';
import type { ContentObjection, Objection, PathJudge } from '@fettle/policy';
import { type ChangeJudge, describeObjection, type JudgedChange } from './judge-change.ts';
import type { Stray } from './stray-files.ts';

/** Why a change is not saved. */
export interface Refusal {
  reason: string;
  by: Pick<Denial, 'rule' | 'token' | 'reason' | 'instead'>;
}
export type ChangeGuard = (change: JudgedChange) => Promise<Refusal | undefined>;

/** `protectedFiles` are the files of the base that nobody may change. None is ever removed, so the list stays valid. */
export function createChangeGuard(
  judgeChange: ChangeJudge,
  protectedFiles: readonly string[],
  findStray: (path: string) => Stray | undefined = () => undefined,
): ChangeGuard {
  const files = new Map(protectedFiles.map((file) => [fold(file), file]));
  const folders = new Map(
    protectedFiles.flatMap((file) => parentsOf(fold(file)).map((folder) => [folder, file])),
  );
  return async (change) => {
    const { path } = change;
    const flaw = pathFlaw(path);
    if (flaw) return refuse('bad-path', path, `the path is not allowed: ${flaw}`);
    // Any part of the path: a folder of that name would take the place of the file.
    if (path.split('/').some(isModulesFile))
      return refuse('submodules', path, 'submodules cannot be added or changed');
    const stray = change.kind === 'deleted' ? undefined : findStray(path);
    if (stray) return refuseBy({ ...stray, decision: 'deny' }, path);
    const denial = (await judgeChange(change)).find(({ decision }) => decision === 'deny');
    if (denial) return refuseBy(denial, path);
    const name = fold(path);
    const ancestor = [name, ...parentsOf(name)].find((each) => files.has(each));
    const removed = folders.get(name) ?? (ancestor && files.get(ancestor));
    if (removed === undefined) return undefined;
    return refuse('protected-below', path, `it would remove ${removed}, which is protected`);
  };
}

function refuse(rule: string, token: string, reason: string): Refusal {
  return { reason, by: { rule, token, reason } };
}

function refuseBy(objection: Objection | ContentObjection, path: string): Refusal {
  const { rule, reason, instead } = objection;
  const token = 'token' in objection && objection.token !== undefined ? objection.token : path;
  const by = { rule, token, reason, ...(instead !== undefined && { instead }) };
  return { reason: describeObjection(objection), by };
}

/** Submodules are protected too: a change may neither replace one nor put files into it. */
export function listProtected(judgePath: PathJudge, { files, submodules }: TreePaths): string[] {
  return [...files.filter((path) => judgePath(path, 'delete').decision === 'deny'), ...submodules];
}

/** Names are compared as in the path judge. */
const fold = (path: string) => path.normalize('NFC').toLowerCase();

function parentsOf(path: string): string[] {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}
