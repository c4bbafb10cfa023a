/** The files that a repository names for reports, and of them the ones that a check really wrote. */
import { createHash } from 'node:crypto';
import type { ReportFile } from '@fettle/checks';
import { compileGlob } from '@fettle/globs';
import { type Sandbox, SandboxError } from '@fettle/sandbox';
import { type Ask, createPatience } from '../sandboxes/deadline.ts';

const maxFiles = 50;
const maxFileBytes = 2_000_000;
/** Of what is read together in one go: a worker that reads for seconds gives no sign of life, and loses all its work. */
const maxWrittenBytes = 8_000_000;
const maxEntries = 1_000;
/** For one look at all of them. */
const longestLookMs = 120_000;

/**
 * Looks at what is there, and gives a function that reads what is new or other than that: a file that is as it was may
 * be left from another run. None is removed, since the repository may have it on record.
 */
export async function watchReports(
  sandbox: Sandbox,
  patterns: string[],
  lookMs = longestLookMs,
): Promise<() => Promise<ReportFile[]>> {
  if (patterns.length === 0) return async () => [];
  const look = () => readAll(sandbox, patterns, createPatience(lookMs, 'read reports'));
  const before = new Map((await look()).map(({ path, bytes }) => [path, digest(bytes)]));
  return async () => {
    const files = await look();
    const written = files.filter(({ path, bytes }) => before.get(path) !== digest(bytes));
    // Some of them alone would hide what failed in the others.
    if (written.reduce((sum, { bytes }) => sum + bytes.length, 0) > maxWrittenBytes) return [];
    return written.map(({ path, bytes }) => ({ path, text: bytes.toString('utf8') }));
  };
}

async function readAll(
  sandbox: Sandbox,
  patterns: string[],
  ask: Ask,
): Promise<{ path: string; bytes: Buffer }[]> {
  const found = new Set<string>();
  for (const pattern of patterns) for (const path of await findPaths(sandbox, pattern, ask)) found.add(path);
  const files = [];
  for (const path of [...found].slice(0, maxFiles)) {
    const file = await unlessRefused(ask(() => sandbox.readFile(path, { maxBytes: maxFileBytes })));
    if (file) files.push({ path, bytes: file.bytes });
  }
  return files;
}

/** Name by name, each folder asked for by itself: reports are written where the repository's ignore rules hide them. */
async function findPaths(sandbox: Sandbox, pattern: string, ask: Ask): Promise<string[]> {
  let paths = [''];
  for (const name of pattern.split('/').filter((part) => part !== '' && part !== '.')) {
    if (!name.includes('*')) {
      paths = paths.map((path) => join(path, name));
      continue;
    }
    const matches = compileGlob(name);
    const listed: string[] = [];
    for (const path of paths.slice(0, maxFiles)) {
      const listing = await unlessRefused(ask(() => sandbox.listDirectory(path || '.', { maxEntries })));
      const names = (listing?.entries ?? []).map((entry) =>
        entry.path.slice(entry.path.lastIndexOf('/') + 1),
      );
      listed.push(...names.filter(matches).map((entry) => join(path, entry)));
    }
    paths = listed;
  }
  return paths;
}

const join = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`);
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Absent, too large, a folder: then there is no such report. */
async function unlessRefused<T>(asking: Promise<T>): Promise<T | undefined> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof SandboxError && !error.endsSandbox) return undefined;
    throw error;
  }
}
