/** Reads the report files that a check wrote, from the paths that the repository's config names. */
import { createHash } from 'node:crypto';
import type { ReportFile } from '@fettle/checks';
import { compileGlob } from '@fettle/globs';
import { type Sandbox, SandboxError } from '@fettle/sandbox';
import { createDeadline, type WithinDeadline } from '../sandboxes/deadline.ts';

const maxFiles = 50;
const maxFileBytes = 2_000_000;
/** For all reports together: parsing for seconds would block the heartbeat, and the attempt would lose its lease. */
const maxWrittenBytes = 8_000_000;
const maxEntries = 1_000;
/** For reading all files once. */
const defaultTimeoutMs = 120_000;

/**
 * Notes the current report files, and returns a function that reads the new or changed ones: an unchanged file may be left
 * from an earlier run. Old files are not deleted, because the repository may contain them.
 */
export async function watchReports(
  sandbox: Sandbox,
  patterns: string[],
  timeoutMs = defaultTimeoutMs,
): Promise<() => Promise<ReportFile[]>> {
  if (patterns.length === 0) return async () => [];
  const read = () => readAll(sandbox, patterns, createDeadline(timeoutMs, 'read reports'));
  const before = new Map((await read()).map(({ path, bytes }) => [path, digest(bytes)]));
  return async () => {
    const files = await read();
    const written = files.filter(({ path, bytes }) => before.get(path) !== digest(bytes));
    // All or nothing: some of the reports alone would hide failures in the others.
    if (written.reduce((sum, { bytes }) => sum + bytes.length, 0) > maxWrittenBytes) return [];
    return written.map(({ path, bytes }) => ({ path, text: bytes.toString('utf8') }));
  };
}

async function readAll(
  sandbox: Sandbox,
  patterns: string[],
  withinDeadline: WithinDeadline,
): Promise<{ path: string; bytes: Buffer }[]> {
  const found = new Set<string>();
  for (const pattern of patterns)
    for (const path of await findPaths(sandbox, pattern, withinDeadline)) found.add(path);
  const files = [];
  for (const path of [...found].slice(0, maxFiles)) {
    const file = await unlessRefused(
      withinDeadline(() => sandbox.readFile(path, { maxBytes: maxFileBytes })),
    );
    if (file) files.push({ path, bytes: file.bytes });
  }
  return files;
}

/** Lists each folder separately, because the sandbox's search leaves out ignored files, and reports often are. */
async function findPaths(
  sandbox: Sandbox,
  pattern: string,
  withinDeadline: WithinDeadline,
): Promise<string[]> {
  let paths = [''];
  for (const name of pattern.split('/').filter((part) => part !== '' && part !== '.')) {
    if (!name.includes('*')) {
      paths = paths.map((path) => join(path, name));
      continue;
    }
    const matches = compileGlob(name);
    const listed: string[] = [];
    for (const path of paths.slice(0, maxFiles)) {
      const listing = await unlessRefused(
        withinDeadline(() => sandbox.listDirectory(path || '.', { maxEntries })),
      );
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

/** A file that is missing, too large or a folder counts as no report. */
async function unlessRefused<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof SandboxError && !error.endsSandbox) return undefined;
    throw error;
  }
}
