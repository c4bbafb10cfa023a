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

/** Makes this process the owner by creating a file at the path, or returns the current owner. */
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

/** Returns the owner if it is a live process on this host. */
export function findLivingOwner(path: string): Owner | undefined {
  const owner = readOwner(path);
  return owner && owner.host === hostname() && isOwnerAlive(owner) ? owner : undefined;
}

/**
 * The file of a dead owner is replaced under a second lock, which is named by the nonce of the dead owner and taken in
 * the same way. A process that saw the same dead owner but comes later finds another nonce and gives up. A kill at any
 * point leaves only files of dead owners, which the next process replaces.
 */
function acquire(path: string, mine: Owner): boolean {
  const draft = `${path}.${mine.nonce}`;
  try {
    writeFileSync(draft, JSON.stringify(mine), { mode: 0o600 });
    if (link(draft, path)) return true;
    const dead = readOwner(path);
    // The owner released the lock in the meantime.
    if (dead === undefined) return link(draft, path);
    if (isOwnerAlive(dead)) return false;
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

/** Creating a hard link is atomic and never replaces an existing file. */
function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Undefined if there is no file. An invalid file has no owner, because owners create theirs atomically. */
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

function isOwnerAlive({ pid, host, startTime }: Owner): boolean {
  // A process of another host or container cannot be checked, so it counts as alive.
  if (host !== hostname()) return true;
  return startTime !== undefined && startTimeOf(pid) === startTime;
}
