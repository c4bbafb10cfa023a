/**
 * Fails a test run that leaks processes or files. Each run gets its own temporary folder. The name of that folder is
 * in the environment of every process that the tests start, so anything that still has it at the end is a leak.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProcesses } from './find-processes.ts';

/** A process that was told to stop may need a moment, and removes its folder last. */
const graceMs = 5_000;

/** Node's default folder for compiled code, which package managers in tests use: a cache, not a leak. */
const defaultCompileCache = 'node-compile-cache';

/** Test processes and services share this, because stripping types takes most of the CPU time of a start. */
const compileCache = join(import.meta.dirname, '../../node_modules/.cache/fettle-compile');

export default function watchForLeaks(): () => Promise<void> {
  // A short name: it holds Unix sockets, whose paths are limited to about 100 characters.
  const folder = mkdtempSync(join(tmpdir(), 'fettle-test-'));
  const previous = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  process.env.FETTLE_TEST_RUN = basename(folder);
  process.env.NODE_COMPILE_CACHE = compileCache;
  mkdirSync(compileCache, { recursive: true });

  return async () => {
    const leaks = await waitForEnd(folder);
    if (previous === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = previous;
    rmSync(folder, { recursive: true, force: true });
    if (leaks.length === 0) return;
    process.exitCode = 1;
    throw new Error(`The tests left behind:\n${leaks.map((leak) => `  ${leak}`).join('\n')}`);
  };
}

async function waitForEnd(folder: string): Promise<string[]> {
  const deadline = Date.now() + graceMs;
  for (;;) {
    const leaks = listLeaks(folder);
    if (leaks.length === 0 || Date.now() > deadline) return leaks;
    await sleep(100);
  }
}

function listLeaks(folder: string): string[] {
  const processes = findProcesses(basename(folder)).map(({ pid, command }) => `process ${pid}: ${command}`);
  const files = readdirSync(folder)
    .filter((name) => name !== defaultCompileCache)
    .map((name) => describe(join(folder, name)));
  return [...processes, ...files];
}

/** Includes some of the folder's content, which tells whose it is. */
function describe(path: string): string {
  try {
    const inside = readdirSync(path, { recursive: true, encoding: 'utf8' });
    return `${path}: ${inside.slice(0, 8).join(', ')}${inside.length > 8 ? ` and ${inside.length - 8} more` : ''}`;
  } catch {
    // Not a folder, or removed in the meantime.
    return path;
  }
}
