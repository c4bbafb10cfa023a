/**
 * Which changes may be kept. Judged here, on the tree that would come of them, since a toolbox may say anything: a change
 * can take files away without naming them, by putting something in the place of a folder above them, or below them.
 */
import type { Denial } from '@fettle/contract';
import { isModulesFile, pathFlaw, type TreePaths } from '@fettle/git';
import type { ContentObjection, Objection, PathJudge } from '@fettle/policy';
import { type ChangeJudge, describeObjection, type JudgedChange } from './judge-change.ts';

/** Why a change is not kept: in words, and by which rule. */
export interface NotKept {
  reason: string;
  by: Pick<Denial, 'rule' | 'token' | 'reason' | 'instead'>;
}
export type ChangeGuard = (change: JudgedChange) => Promise<NotKept | undefined>;

/** `protectedFiles` are what nobody may change of the base: none of it ever goes, so that the list stays true. */
export function createChangeGuard(judgeChange: ChangeJudge, protectedFiles: readonly string[]): ChangeGuard {
  const files = new Map(protectedFiles.map((file) => [fold(file), file]));
  const folders = new Map(
    protectedFiles.flatMap((file) => parentsOf(fold(file)).map((folder) => [folder, file])),
  );
  return async (change) => {
    const { path } = change;
    const flaw = pathFlaw(path);
    if (flaw) return refuse('bad-path', path, `the path is not allowed: ${flaw}`);
    // A folder of that name would stand in the place of the file.
    if (path.split('/').some(isModulesFile))
      return refuse('submodules', path, 'which submodules there are is not for a change like this');
    const denial = (await judgeChange(change)).find(({ decision }) => decision === 'deny');
    if (denial) return refuseBy(denial, path);
    const name = fold(path);
    const onTheWay = [name, ...parentsOf(name)].find((place) => files.has(place));
    const taken = folders.get(name) ?? (onTheWay && files.get(onTheWay));
    if (taken === undefined) return undefined;
    return refuse('protected-below', path, `it would take ${taken} away, which is protected`);
  };
}

function refuse(rule: string, token: string, reason: string): NotKept {
  return { reason, by: { rule, token, reason } };
}

function refuseBy(objection: Objection | ContentObjection, path: string): NotKept {
  const { rule, reason, instead } = objection;
  const token = 'token' in objection && objection.token !== undefined ? objection.token : path;
  const by = { rule, token, reason, ...(instead !== undefined && { instead }) };
  return { reason: describeObjection(objection), by };
}

/** A submodule is a commit of another repository: no file stands in its place, and none lies in it. */
export function listProtected(judgePath: PathJudge, { files, submodules }: TreePaths): string[] {
  return [...files.filter((path) => judgePath(path, 'delete').decision === 'deny'), ...submodules];
}

/** As the judge compares names. */
const fold = (path: string) => path.normalize('NFC').toLowerCase();

function parentsOf(path: string): string[] {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}
