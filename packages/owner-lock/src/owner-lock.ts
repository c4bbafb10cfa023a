import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';
import { startTimeOf } from './process-identity.ts';

const ownerSchema = z.object({
  pid: z.int(),
  host: z.string(),
  startTime: z.string().optional(),
  nonce: z.string(),
});
export type Owner = z.infer<typeof ownerSchema>;

export type OwnerLock = { ok: true; release(): void } | { ok: false; owner: Owner | undefined };

/** Makes this process the owner, by a file at the given path, or says who is. */
export function takeOwnership(path: string): OwnerLock {
  const mine: Owner = {
    pid: process.pid,
    host: hostname(),
    startTime: startTimeOf(process.pid),
    nonce: randomUUID(),
  };
  if (!acquire(path, mine)) return { ok: false, owner: readOwner(path) };
  return {
    ok: true,
    release() {
      if (readOwner(path)?.nonce === mine.nonce) unlinkSync(path);
    },
  };
}

/** The owner, where it is a process of this machine that lives. */
export function findLivingOwner(path: string): Owner | undefined {
  const owner = readOwner(path);
  return owner && owner.host === hostname() && lives(owner) ? owner : undefined;
}

/**
 * A dead owner's file is replaced under a second lock that bears that owner's nonce, taken in this same way:
 * whoever comes later with the same dead owner in mind finds another one there. A kill at any point between
 * leaves only files of dead owners, which the next one replaces.
 */
function acquire(path: string, mine: Owner): boolean {
  const draft = `${path}.${mine.nonce}`;
  try {
    writeFileSync(draft, JSON.stringify(mine), { mode: 0o600 });
    if (link(draft, path)) return true;
    const dead = readOwner(path);
    // Released between the two looks.
    if (dead === undefined) return link(draft, path);
    if (lives(dead)) return false;
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

function lives({ pid, host, startTime }: Owner): boolean {
  // A process of another machine or container cannot be asked.
  if (host !== hostname()) return true;
  return startTime !== undefined && startTimeOf(pid) === startTime;
}
