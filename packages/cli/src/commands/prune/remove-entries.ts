import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { clearLeftovers } from '@fettle/sandbox';
import { type Area, prunedMark } from './areas.ts';
import type { Entry } from './measure.ts';

export async function removeEntries(home: string, { name, removable }: Area): Promise<void> {
  if (removable.length === 0) return;
  // These also have processes to end.
  if (name === 'sandboxes' || name === 'brokers') await clearLeftovers(join(home, name));
  else for (const entry of removable) await removeEntry(entry);
}

/** A folder disappears at once and whole, so that a kill leaves nothing that looks complete. */
async function removeEntry({ path }: Entry): Promise<void> {
  const aside = path.includes(prunedMark) ? path : `${path}${prunedMark}${randomUUID()}`;
  try {
    if (aside !== path) await rename(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  await rm(aside, { recursive: true, force: true });
}
