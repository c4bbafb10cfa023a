/**
 * Which changes may be kept. Judged here, on the tree that would come of them, since a toolbox may say anything: a change
 * can take files away without naming them, by putting something in the place of a folder above them, or below them.
 */
import { isModulesFile, pathFlaw } from '@fettle/git';
import type { PathJudge } from '@fettle/policy';

export type ChangeGuard = (path: string) => string | undefined;

/** `protectedFiles` are those of the base that nobody may change: none of them ever goes, so that the list stays true. */
export function createChangeGuard(judgePath: PathJudge, protectedFiles: readonly string[]): ChangeGuard {
  const files = new Map(protectedFiles.map((file) => [fold(file), file]));
  const folders = new Map(
    protectedFiles.flatMap((file) => parentsOf(fold(file)).map((folder) => [folder, file])),
  );
  return (path) => {
    const flaw = pathFlaw(path);
    if (flaw) return `the path is not allowed: ${flaw}`;
    if (isModulesFile(path)) return 'which submodules there are is not for a change like this';
    const verdict = judgePath(path);
    if (!verdict.ok) return verdict.reason;
    const name = fold(path);
    const above = parentsOf(name).find((parent) => files.has(parent));
    const taken = folders.get(name) ?? (above && files.get(above));
    return taken === undefined ? undefined : `it would take ${taken} away, which is protected`;
  };
}

export function listProtected(judgePath: PathJudge, paths: readonly string[]): string[] {
  return paths.filter((path) => !judgePath(path).ok);
}

/** As the judge compares names. */
const fold = (path: string) => path.normalize('NFC').toLowerCase();

function parentsOf(path: string): string[] {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}
