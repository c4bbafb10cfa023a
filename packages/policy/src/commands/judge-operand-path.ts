/** Judges a path operand from every folder that the line may be in at that point. */
import { compileGlob } from '@fettle/globs';
import type { PathOperation } from '../paths/path-rule.ts';
import { type Refusal, refuse } from './refusal.ts';

export type OperandPathJudge = (
  path: string,
  operation: PathOperation,
) => { ok: true } | { ok: false; rule: string; reason: string; instead?: string | undefined };

interface PathOptions {
  folders: string[];
  judge: OperandPathJudge;
  isPattern: boolean;
  /** Whether the path may be in the scratch folder. */
  usesScratch?: boolean;
}

const OUTSIDE = 'path/outside';
const SCRATCH = '/tmp';
const WILDCARD = /[*?[]/;
const MAX_PATH_LENGTH = 4096;
const MAX_PATTERN_LENGTH = 500;
/** Hidden names that a glob must not reach by accident. Each is tried in place of a wildcard. */
const TELLING_NAMES = [
  '.git',
  '.env',
  '.env.local',
  '.npmrc',
  '.netrc',
  '.pypirc',
  '.ssh',
  '.aws',
  '.gnupg',
  '.fettle',
];

export function judgeOperandPath(
  written: string,
  operation: PathOperation,
  options: PathOptions,
): Refusal | undefined {
  if (written === '/dev/null' && operation !== 'delete') return undefined;
  if (written === '' || written === '-') {
    return refuse('path/none', 'there is no standard input here, and no path', {
      token: written,
      instead: 'name a file; input from a pipe is read automatically',
    });
  }
  if (written.length > (options.isPattern ? MAX_PATTERN_LENGTH : MAX_PATH_LENGTH)) {
    return refuse('path/too-long', 'no path is as long as this', {
      token: `${written.slice(0, 80)}…`,
      instead: 'shorten it',
    });
  }
  const faults = options.folders.map((folder) => judgeFrom(folder, written, operation, options));
  const fault = faults.find((each) => each !== undefined);
  if (fault?.rule !== OUTSIDE || faults.every((each) => each !== undefined)) return fault;
  // The path would be allowed if an earlier `cd` succeeded.
  return { ...fault, instead: 'join "cd" and the next command with &&, so that nothing runs if cd fails' };
}

function judgeFrom(
  folder: string,
  written: string,
  operation: PathOperation,
  { judge, isPattern, usesScratch = false }: PathOptions,
): Refusal | undefined {
  const plain = isPattern ? written.replace(/\\(.)/gs, '$1') : written;
  const path = resolvePath(folder, plain);
  if (path === undefined) return refuseOutside(written);
  if (isScratch(path)) {
    if (!usesScratch) return refuseScratch(written);
    if (path === SCRATCH) return operation === 'read' ? undefined : refuseOutside(written);
  }
  if (operation === 'delete' && (path === '.' || (isPattern && /^(\/tmp\/)?[*?]+$/.test(path)))) {
    return refuse('path/root', 'this would take away the whole workspace', {
      token: written,
      instead: 'name the files to delete',
    });
  }
  if (isPattern && climbsAfterWildcard(written)) return refuseOutside(written);
  for (const candidate of isPattern ? [path, ...listTelling(resolvePath(folder, written) ?? path)] : [path]) {
    const verdict =
      candidate === '.' ? { ok: true as const } : judge(candidate.replace(/^\/tmp\//, ''), operation);
    if (!verdict.ok) {
      const { rule, reason, instead = 'leave this path out' } = verdict;
      return refuse(rule, reason, { token: written, instead });
    }
  }
  return undefined;
}

/**
 * The path from the workspace root (`.` for the root), or in the scratch folder with `/tmp` in front. Undefined when it is
 * outside. The toolbox checks that an absolute path leads to the workspace that it has.
 */
export function resolvePath(folder: string, path: string): string | undefined {
  const { workspace, scratch } = readAbsolute(path);
  if (path.startsWith('/') && workspace === undefined && scratch === undefined) return undefined;
  const inScratch = scratch !== undefined || (workspace === undefined && isScratch(folder));
  const start = path.startsWith('/') ? '.' : inScratch ? folder.slice(SCRATCH.length + 1) : folder;
  const names = start === '.' || start === '' ? [] : start.split('/');
  for (const name of (workspace ?? scratch ?? path).split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) return undefined;
  }
  if (inScratch) return [SCRATCH, ...names].join('/');
  return names.length === 0 ? '.' : names.join('/');
}

/** The path in the only folder of the name `workspace`, or in `/tmp`. */
function readAbsolute(path: string): { workspace?: string; scratch?: string } {
  if (!path.startsWith('/')) return {};
  const names = path.split('/');
  const at = names.indexOf('workspace');
  if (at === -1) return names[1] === 'tmp' ? { scratch: names.slice(2).join('/') } : {};
  const isPlain = names.lastIndexOf('workspace') === at && !names.slice(0, at).includes('..');
  return isPlain ? { workspace: names.slice(at + 1).join('/') } : {};
}

export function isScratch(path: string): boolean {
  return path === SCRATCH || path.startsWith(`${SCRATCH}/`);
}

/** A wildcard can match a link, so `..` after it could lead anywhere. */
function climbsAfterWildcard(pattern: string): boolean {
  const names = pattern.split('/');
  const wildcard = names.findIndex((name) => WILDCARD.test(name));
  return wildcard !== -1 && names.slice(wildcard).includes('..');
}

/** A wildcard at the start of a name does not match a dot, as in a shell. */
function listTelling(pattern: string): string[] {
  const names = pattern.split('/');
  return names.flatMap((name, index) => {
    if (!name.startsWith('.') || !WILDCARD.test(name)) return [];
    // Anything that could be a group is treated as "any character": it matches more, never less.
    const simple = name.replace(/\\?[{},]/g, '?').replace(/\*+/g, '*');
    return TELLING_NAMES.filter(compileGlob(simple)).map((telling) =>
      [...names.slice(0, index), telling, ...names.slice(index + 1)].join('/'),
    );
  });
}

function refuseScratch(written: string): Refusal {
  return refuse('path/absolute', 'only paths of the workspace may be named here', {
    token: written,
    instead:
      'name a file of the workspace; only programs that read and change files, and redirections, use /tmp',
  });
}

function refuseOutside(written: string): Refusal {
  if (written.startsWith('/')) {
    return refuse('path/absolute', 'only paths of the workspace may be named', {
      token: written,
      instead:
        'name it from the workspace’s root, where every line begins, without a slash in front; /tmp is a scratch folder',
    });
  }
  return refuse(OUTSIDE, 'this path leads out of the workspace', {
    token: written,
    instead: 'every line starts in the workspace root; check the number of ".."',
  });
}
