// Fails a test run that leaves something behind. Every run gets a temporary folder of its own, whose name is
// also in the environment of every process that the tests start: what is still there at the end was leaked.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProcesses } from './find-processes.ts';

// A process that was asked to end may need a moment; so may the folder that it removes as its last deed.
const patienceMs = 5_000;

/** Where package managers that the tests run keep their compiled code, by node's own default: a cache, not a leak. */
const compileCache = 'node-compile-cache';

export default function watchForLeaks(): () => Promise<void> {
  // Short, because Unix sockets are made in it and their paths may not be long.
  const folder = mkdtempSync(join(tmpdir(), 'fettle-test-'));
  const previous = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  process.env.FETTLE_TEST_RUN = basename(folder);

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
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const leaks = listLeaks(folder);
    if (leaks.length === 0 || Date.now() > deadline) return leaks;
    await sleep(100);
  }
}

function listLeaks(folder: string): string[] {
  const processes = findProcesses(basename(folder)).map(({ pid, command }) => `process ${pid}: ${command}`);
  const files = readdirSync(folder)
    .filter((name) => name !== compileCache)
    .map((name) => describe(join(folder, name)));
  return [...processes, ...files];
}

/** With a little of what is in it, by which one finds whose it is. */
function describe(path: string): string {
  try {
    const inside = readdirSync(path, { recursive: true, encoding: 'utf8' });
    return `${path}: ${inside.slice(0, 8).join(', ')}${inside.length > 8 ? ` and ${inside.length - 8} more` : ''}`;
  } catch {
    // No folder, or gone meanwhile.
    return path;
  }
}
