/**
 * One owner per FETTLE_HOME: two processes on one embedded database lose rows without an error. The lock is a
 * file that names its owner. It outlives a killed owner, so that it counts only as long as that process lives.
 */
import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { CliError, exitCodes } from '../cli-error.ts';
import { startTimeOf } from './process-identity.ts';

const ownerSchema = z.object({
  pid: z.int(),
  host: z.string(),
  startTime: z.string().optional(),
  nonce: z.string(),
});
type Owner = z.infer<typeof ownerSchema>;

export interface HomeLock {
  release(): void;
}

export function lockHome(home: string): HomeLock {
  const folder = join(home, 'run');
  makeFolder(folder);
  const path = join(folder, 'owner.json');
  const mine: Owner = {
    pid: process.pid,
    host: hostname(),
    startTime: startTimeOf(process.pid),
    nonce: randomUUID(),
  };
  if (!acquire(path, mine)) throw inUse(home, path);
  return { release: () => release(path, mine) };
}

/**
 * A dead owner's file is replaced under a second lock that bears that owner's nonce, taken in this same way:
 * whoever comes later with the same dead owner in mind finds another one there. A kill at any point between
 * leaves only files of dead owners, which the next one replaces.
 */
function acquire(path: string, mine: Owner): boolean {
  const draft = `${path}.${mine.nonce}`;
  writeFileSync(draft, JSON.stringify(mine), { mode: 0o600 });
  try {
    if (link(draft, path)) return true;
    const dead = readOwner(path);
    // Released between the two looks.
    if (dead === undefined) return link(draft, path);
    if (isAlive(dead)) return false;
    const succession = `${path}.after.${dead.nonce}`;
    if (!acquire(succession, { ...mine, nonce: randomUUID() })) return false;
    const unchanged = readOwner(path)?.nonce === dead.nonce;
    if (unchanged) renameSync(draft, path);
    rmSync(succession, { force: true });
    return unchanged;
  } finally {
    rmSync(draft, { force: true });
  }
}

function release(path: string, mine: Owner): void {
  if (readOwner(path)?.nonce === mine.nonce) unlinkSync(path);
}

/** A hard link appears whole or not at all, and never over another file. */
function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Undefined when there is no file; one that cannot be read was never an owner's, whose file appears whole. */
function readOwner(path: string): Owner | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  try {
    return ownerSchema.parse(JSON.parse(text));
  } catch {
    return { pid: 0, host: hostname(), startTime: 'never', nonce: 'unreadable' };
  }
}

function isAlive({ pid, host, startTime }: Owner): boolean {
  // A process of another machine or container cannot be asked.
  if (host !== hostname()) return true;
  return startTime !== undefined && startTimeOf(pid) === startTime;
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError('home_in_use', `${folder} cannot be made (${code})`, {
      exitCode: exitCodes.unavailable,
      advice: 'Set FETTLE_HOME to a folder that you may write to.',
    });
  }
}

function inUse(home: string, path: string): CliError {
  const owner = readOwner(path);
  const who = owner ? `process ${owner.pid} on ${owner.host}` : 'another process';
  return new CliError('home_in_use', `${home} is in use by ${who}`, {
    exitCode: exitCodes.unavailable,
    advice: `Wait for it, or start 'fettle up' once and let every command use that server; if the process is gone for certain, remove ${path}.`,
  });
}
