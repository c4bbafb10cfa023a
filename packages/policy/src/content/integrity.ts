/** Checksums in lockfiles: a different checksum for the same version means different content under an old name. */
import { posix } from 'node:path';
import { foldLetters } from '../paths/spell-path.ts';
import type { ContentCheck, Found } from './content-rule.ts';

export interface Locked {
  version?: string | undefined;
  integrity?: string | undefined;
}

/** Whether a file can have a problem that only shows in comparison with its previous content. */
export const needsBefore = (path: string) =>
  /^(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml)$/.test(
    foldLetters(posix.basename(path)),
  );

export function compareIntegrity(place: string, now: Locked, old: Locked | undefined): Found[] {
  const { version, integrity } = now;
  const isSame = old?.integrity === undefined || old.version !== version || old.integrity === integrity;
  // Replacing a weak hash by a stronger one is allowed.
  const isBetter = old?.integrity?.startsWith('sha1-') && integrity?.startsWith('sha512-');
  return isSame || isBetter
    ? []
    : [{ rule: 'dependency-integrity', token: `${place} ${version ?? ''}`.trim() }];
}

/** Yarn and pnpm: a heading per package, with its properties indented below. */
export const findChangedIntegrity: ContentCheck = ({ name, text, textBefore }) => {
  if (!/^(yarn\.lock|pnpm-lock\.yaml)$/.test(name) || textBefore === '') return [];
  const before = readLocked(textBefore);
  return [...readLocked(text)].flatMap(([place, locked]) =>
    compareIntegrity(place, locked, before.get(place)),
  );
};

const heading = /^ {0,2}(\S.{0,500}):\s{0,5}$/;
const detail =
  /^\s{2,10}(?:resolution:\s{1,5}\{)?(version|integrity|checksum):?\s{1,5}["']?([^\s"'},]{1,300})/;

function readLocked(text: string): Map<string, Locked> {
  const found = new Map<string, Locked>();
  let locked: Locked = {};
  for (const line of text.split(/\r?\n/)) {
    const place = heading.exec(line)?.[1];
    const [, field, value] = detail.exec(line) ?? [];
    if (place !== undefined) {
      locked = {};
      // pnpm lists a package twice: with its content, and with its dependencies.
      if (!found.has(place)) found.set(place, locked);
    } else if (field === 'version') locked.version = value;
    else if (field !== undefined) locked.integrity = value;
  }
  return found;
}
