/**
 * One process per PGlite folder: two of them lose rows without an error. The lock is a file that names its
 * owner; it outlives a killed owner, so that it counts only as long as that very process lives.
 */
import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { DatabaseError } from '../errors.ts';

const ownerSchema = z.object({
  pid: z.int(),
  host: z.string(),
  /** When the process started, in the kernel's own count: tells it from a later one with the same pid. */
  started: z.string().optional(),
  nonce: z.string(),
});
type Owner = z.infer<typeof ownerSchema>;

export function lockFolder(folder: string): { release(): void } {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'lock');
  const mine: Owner = {
    pid: process.pid,
    host: hostname(),
    started: startOf(process.pid),
    nonce: randomUUID(),
  };
  const draft = `${path}.${mine.nonce}`;
  writeFileSync(draft, JSON.stringify(mine), { mode: 0o600 });
  try {
    if (!linked(draft, path)) takeOver(folder, path, draft);
  } finally {
    rmSync(draft, { force: true });
  }
  return {
    release: () => {
      if (readOwner(path)?.nonce === mine.nonce) unlinkSync(path);
    },
  };
}

/** Replaces a dead owner's lock. The marker bears that owner's nonce, so that only one process may do it. */
function takeOver(folder: string, path: string, draft: string): void {
  const owner = readOwner(path);
  if (!owner || isAlive(owner)) throw inUse(folder, path, owner);
  const marker = `${path}.after.${owner.nonce}`;
  if (!linked(draft, marker)) throw inUse(folder, path, owner);
  try {
    const current = readOwner(path);
    if (current?.nonce !== owner.nonce) throw inUse(folder, path, current);
    renameSync(draft, path);
  } finally {
    unlinkSync(marker);
  }
}

/** A hard link appears whole or not at all, and never over another file. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function readOwner(path: string): Owner | undefined {
  try {
    return ownerSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}

function isAlive(owner: Owner): boolean {
  // A process of another machine or container cannot be asked.
  if (owner.host !== hostname()) return true;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return owner.started === startOf(owner.pid);
}

function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie is gone but for its exit code, and has nothing open any more.
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function inUse(folder: string, path: string, owner: Owner | undefined): DatabaseError {
  const who = owner ? `process ${owner.pid} on ${owner.host}` : 'another process';
  return new DatabaseError(
    'in_use',
    `The database folder ${folder} is in use by ${who}. Stop it first; if it is gone for certain, remove ${path}.`,
  );
}
