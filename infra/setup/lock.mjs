/**
 * Allows one set-up at a time per clone, or per home where the clone belongs to another user. The lock file names its holder. A killed holder leaves the file behind, so a
 * waiting set-up also checks whether the holder is alive.
 */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownStampFolder } from './places.mjs';
import { SetupFailure, say } from './progress.mjs';

const lockFile = join(ownStampFolder, 'setup.lock');
const pollMs = 100;
/** Longer than any set-up takes. After that, a holder that cannot be checked counts as dead. */
const longestSetupMs = 20 * 60_000;

export async function withLock(work) {
  mkdirModules();
  let announced = false;
  while (!tryCreate(lockFile)) {
    if (isStale(lockFile)) removeStale();
    else if (!announced) {
      say('• waiting for another set-up of this clone …\n');
      announced = true;
    }
    await sleep(pollMs);
  }
  try {
    return await work();
  } finally {
    rmSync(lockFile, { force: true });
  }
}

function mkdirModules() {
  try {
    mkdirSync(ownStampFolder, { recursive: true });
  } catch (error) {
    throw new SetupFailure(`${ownStampFolder} is not writable (${error.code}).`, {
      advice: 'Set FETTLE_HOME to a folder that you can write to.',
    });
  }
}

function tryCreate(file) {
  try {
    writeFileSync(file, JSON.stringify(describe(process.pid)), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

/** Two waiters may find the same stale lock. The second lock keeps the slower one from removing the faster one's new lock. */
function removeStale() {
  const breaker = `${lockFile}.break`;
  if (!tryCreate(breaker)) {
    if (isStale(breaker)) rmSync(breaker, { force: true });
    return;
  }
  if (isStale(lockFile)) rmSync(lockFile, { force: true });
  rmSync(breaker, { force: true });
}

function isStale(file) {
  try {
    if (Date.now() - statSync(file).mtimeMs > longestSetupMs) return true;
    const holder = JSON.parse(readFileSync(file, 'utf8'));
    return holder.host === hostname() && holder.started !== describe(holder.pid).started;
  } catch (error) {
    // Removed in the meantime, or created but not yet written.
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return false;
    throw error;
  }
}

/** Process ids are reused. Together with the start time they are unique. */
function describe(pid) {
  return { pid, host: hostname(), started: startTime(pid) };
}

function startTime(pid) {
  try {
    // Field 22. Field 2, the name, may itself contain spaces and parentheses.
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')[19];
    process.kill(pid, 0);
    return 'alive';
  } catch (error) {
    return error.code === 'EPERM' ? 'alive' : 'dead';
  }
}
