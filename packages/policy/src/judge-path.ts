import { compileGlob } from '@fettle/sandbox/glob';
import { pathRules } from './path-rules.ts';

export type Verdict = { ok: true } | { ok: false; rule: string; reason: string };

export type PathJudge = (path: string) => Verdict;

/** Letter case is ignored, since two of three file systems that people use ignore it too. */
const fold = (text: string) => text.normalize('NFC').toLowerCase();

/** A pattern that names a folder, with a slash at its end or without, covers what is in it. */
function covers(pattern: string): string[] {
  const name = pattern.replace(/\/$/, '');
  return [name, name.includes('/') ? `${name}/**` : `**/${name}/**`];
}

/** Judges whether a file may be changed, by the built-in rules and by the repository's protected paths. */
export function createPathJudge(protectedPaths: string[]): PathJudge {
  const reason = 'the repository’s .fettle/config.yml protects it';
  const rules = [
    ...pathRules.map((rule) => ({ ...rule, globs: [rule.pattern] })),
    ...protectedPaths.map((pattern) => ({ pattern, reason, globs: covers(pattern) })),
  ].flatMap((rule) => rule.globs.map((glob) => ({ ...rule, matches: compileGlob(fold(glob)) })));

  return (path) => {
    const hit = rules.find(({ matches }) => matches(fold(path)));
    return hit ? { ok: false, rule: hit.pattern, reason: hit.reason } : { ok: true };
  };
}
