/** A stamp is a small file with the hash of the inputs of a finished step. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownStampFolder, stampFolder } from './places.mjs';

const stampFile = (name, folder = ownStampFolder) => join(folder, `${name}.stamp`);

export function hashFiles(files, ...facts) {
  const hash = createHash('sha256').update(JSON.stringify(facts));
  for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

export function hasStamp(name, hash) {
  const files = [stampFile(name), stampFile(name, stampFolder)];
  return files.some((file) => existsSync(file) && readFileSync(file, 'utf8') === hash);
}

/** Removes the stamp while the work runs, so that interrupted work is repeated. */
export async function stamped(name, hash, work) {
  rmSync(stampFile(name), { force: true });
  await work();
  mkdirSync(ownStampFolder, { recursive: true });
  writeFileSync(stampFile(name), hash);
}

/** Lists the entries of a folder as sorted paths. Empty if the folder does not exist. */
export function listFolder(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name));
}
