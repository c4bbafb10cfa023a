// A stamp is a small file that holds the hash of what a step was done for.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stampFolder } from './places.mjs';

const stampFile = (name) => join(stampFolder, `${name}.stamp`);

export function hashFiles(files, ...facts) {
  const hash = createHash('sha256').update(JSON.stringify(facts));
  for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

export function hasStamp(name, hash) {
  const file = stampFile(name);
  return existsSync(file) && readFileSync(file, 'utf8') === hash;
}

/** Runs the work with no stamp in place, so that a kill in the middle means that it is done again. */
export async function stamped(name, hash, work) {
  rmSync(stampFile(name), { force: true });
  await work();
  mkdirSync(stampFolder, { recursive: true });
  writeFileSync(stampFile(name), hash);
}

/** The entries of a folder as paths, in a fixed order; none where there is no such folder. */
export function listFolder(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name));
}
