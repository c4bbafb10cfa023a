import { compileGlob } from '@fettle/globs';
import type { Objection } from '../verdict.ts';
import { findRules } from './find-rules.ts';
import type { PathOperation, PathRule, PathVerdict } from './path-rule.ts';
import { foldLetters, type Spelling, spellPath } from './spell-path.ts';

export interface PathOptions {
  /** Globs from the repository's config: covered paths may be read but not changed. */
  protectedPaths?: readonly string[];
  /** Files that the request names in its `targetFiles` field. Mentions in free text do not count. */
  named?: readonly string[];
  /** The operator's globs: guards that may be changed when the request names them. */
  allowGuards?: readonly string[];
}

export type PathJudge = (path: string, operation: PathOperation) => PathVerdict;

const maxPathLength = 4096;
const maxNameBytes = 255;
const allowed: PathVerdict = { decision: 'allow' };

/**
 * Decides whether a file may be read, written or deleted: by the built-in rules, the repository's config and the
 * operator's settings.
 */
export function createPathJudge(options: PathOptions = {}): PathJudge {
  const { protectedPaths = [], named = [], allowGuards = [] } = options;
  const protecting = protectedPaths.map((pattern) => ({ pattern, covers: compileCover(pattern) }));
  const agreed = allowGuards.map(compileCover);
  const targets = new Set(named.flatMap((path) => spellPath(path).map(join)));

  function judgeByRule(rule: PathRule, operation: PathOperation, path: string): Objection | undefined {
    const { forbids, reason, instead } = rule;
    const objection = { rule: rule.rule, reason, instead };
    if (forbids === 'all') return { decision: 'deny', ...objection };
    if (operation === 'read' || (operation === 'delete' && forbids !== 'guard')) return undefined;
    if (forbids === 'new') return { decision: 'deny', ...objection };
    const isAgreed = targets.has(path) && agreed.some((covers) => covers(path));
    return { decision: forbids === 'shown' || isAgreed ? 'approve' : 'deny', ...objection };
  }

  function judgeSpelling(names: Spelling, given: string, operation: PathOperation): Objection | undefined {
    if (names === undefined) return outside;
    const path = names.join('/');
    const objections = findRules(given, names).flatMap((rule) => judgeByRule(rule, operation, path) ?? []);
    if (operation === 'read') return strictest(objections);
    if (path === '') return itself;
    const hit = protecting.find(({ covers }) => covers(path));
    return strictest([...objections, ...(hit ? [protectedBy(hit.pattern)] : [])]);
  }

  return keepReadings((path, operation) => {
    if (!isPath(path)) return notAPath;
    const spellings = spellPath(path);
    const found = spellings.flatMap((names) => judgeSpelling(names, path, operation) ?? []);
    return strictest(found) ?? allowed;
  });
}

const keptReadings = 2_000;

/** Cached: a search asks about the same hundreds of files again and again while an agent waits. */
function keepReadings(judge: PathJudge): PathJudge {
  const kept = new Map<string, PathVerdict>();
  return (path, operation) => {
    if (operation !== 'read') return judge(path, operation);
    const known = kept.get(path);
    if (known !== undefined) return known;
    const verdict = judge(path, operation);
    if (kept.size >= keptReadings) kept.clear();
    kept.set(path, verdict);
    return verdict;
  };
}

export function judgePath(path: string, operation: PathOperation, options?: PathOptions): PathVerdict {
  return createPathJudge(options)(path, operation);
}

function isPath(path: string): boolean {
  if (path === '' || path.includes('\0') || path.length > maxPathLength || !path.isWellFormed()) return false;
  return (
    path.length <= maxNameBytes ||
    path.split(/[/\\]/).every((name) => Buffer.byteLength(name) <= maxNameBytes)
  );
}

/** A pattern that names a folder, with or without a trailing slash, covers its contents. */
export function compileCover(pattern: string): (path: string) => boolean {
  const name = foldLetters(pattern).replace(/\/$/, '');
  const globs = [name, name.includes('/') ? `${name}/**` : `**/${name}/**`].map(compileGlob);
  return (path) => globs.some((matches) => matches(path));
}

function strictest(objections: Objection[]): Objection | undefined {
  return objections.find(({ decision }) => decision === 'deny') ?? objections[0];
}

const join = (names: Spelling) => names?.join('/');

function protectedBy(pattern: string): Objection {
  return {
    decision: 'deny',
    rule: pattern,
    reason: 'the repository’s .fettle/config.yml protects it',
    instead: 'Leave it as it is, and say in your answer what should be changed there and why.',
  };
}

const outside: Objection = {
  decision: 'deny',
  rule: 'outside',
  reason: 'it leads out of the repository',
  instead: 'Use a path from the root of the repository, such as src/index.ts.',
};
const itself: Objection = {
  decision: 'deny',
  rule: 'outside',
  reason: 'it is the repository itself, not a file in it',
  instead: 'Name a file.',
};
const notAPath: Objection = {
  decision: 'deny',
  rule: 'not-a-path',
  reason: 'it is empty, too long, or contains characters that a path cannot contain',
  instead: 'Use a path from the root of the repository, such as src/index.ts.',
};
