import { compileGlob } from '@fettle/sandbox/glob';
import { pathRules } from './path-rules.ts';

export type Verdict = { ok: true } | { ok: false; rule: string; reason: string };

export type PathJudge = (path: string) => Verdict;

/** Letter case is ignored, since two of three file systems that people use ignore it too. */
const fold = (text: string) => text.normalize('NFC').toLowerCase();

/** Judges whether a file may be changed, by the built-in rules and by the repository's protected paths. */
export function createPathJudge(protectedPaths: string[]): PathJudge {
  const rules = [
    ...pathRules,
    ...protectedPaths.map((pattern) => ({
      pattern,
      reason: 'the repository’s .fettle/config.yml protects it',
    })),
  ].map(({ pattern, reason }) => ({ pattern, reason, matches: compileGlob(fold(pattern)) }));

  return (path) => {
    const hit = rules.find(({ matches }) => matches(fold(path)));
    return hit ? { ok: false, rule: hit.pattern, reason: hit.reason } : { ok: true };
  };
}
