/** Sorts secrets into new ones, ones that the base commit already contains, and ones that an operator allows. */

import { findWithheld } from '@fettle/check-run';
import type { Allowance } from '@fettle/contract';
import { grepCommit, readBlobsAt } from '@fettle/git';
import { decodeText, readsAs, type Secret, withheldRule } from '@fettle/secrets';
import { readBase } from '../mirror/mirror.ts';

export interface SortedSecrets {
  fresh: Secret[];
  /** The base commit contains them, in this file or another one that is not withheld. They are only reported. */
  known: Secret[];
  allowed: { secret: Secret; allowance: Allowance }[];
}

export type SortSecrets = (secrets: Secret[]) => Promise<SortedSecrets>;

export interface SorterOptions {
  mirror: string;
  base: string;
  /** Called only if there are secrets. */
  readAllowances(): Promise<Allowance[]>;
}

/** If more files of the base contain the line, only the first ones are checked. */
const maxFiles = 50;
const maxBytes = 100_000_000;

export function createSecretSorter({ mirror, base, readAllowances }: SorterOptions): SortSecrets {
  /** Cached, because the base commit does not change. */
  const onBase = new Map<string, Promise<boolean>>();

  let listing: Promise<Set<string>> | undefined;
  /** What only a withheld file contains does not count as known: it would pass in a copy of the file. */
  function listWithheld(): Promise<Set<string>> {
    listing ??= findWithheld(mirror, base).then((files) => new Set(files.map(({ path }) => path)));
    return listing;
  }

  async function isOnBase(secret: Secret): Promise<boolean> {
    const before = await readBase(mirror, base, secret.finding.file);
    if (before !== undefined && contains(before, secret)) return true;
    return isInOtherFile(secret);
  }

  /** The secret may have been moved or copied from another file. */
  async function isInOtherFile(secret: Secret): Promise<boolean> {
    const line = secret.piece
      .split('\n')
      .reduce((longest, each) => (each.length > longest.length ? each : longest));
    const files = await grepCommit({ mirror, commit: base, line: line.replace(/\r$/, '') });
    const withheld = await listWithheld();
    const open = files.filter((path) => !withheld.has(path)).slice(0, maxFiles);
    const blobs = await readBlobsAt(mirror, base, open, { maxBytes });
    return [...blobs.values()].some(({ bytes }) => contains(bytes, secret));
  }

  return async (secrets) => {
    const sorted: SortedSecrets = { fresh: [], known: [], allowed: [] };
    if (secrets.length === 0) return sorted;
    const allowances = new Map((await readAllowances()).map((each) => [each.fingerprint, each]));
    for (const secret of secrets) {
      const { finding, piece } = secret;
      const allowance = allowances.get(finding.fingerprint);
      if (allowance) sorted.allowed.push({ secret, allowance });
      else if (isFromGitleaks(secret) && secrets.some((other) => isSameSecret(other, secret))) continue;
      // Without the matched text there is nothing to compare.
      else if (piece.trim() !== '' && (await isKnown(secret))) {
        // A line that other files of the base contain as well tells nothing.
        if (finding.rule !== withheldRule) sorted.known.push(secret);
      } else sorted.fresh.push(secret);
    }
    return sorted;
  };

  function isKnown(secret: Secret): Promise<boolean> {
    const { finding, piece, hiddenValue = '' } = secret;
    const key = `${finding.file}\0${piece}\0${hiddenValue}`;
    const found = onBase.get(key) ?? isOnBase(secret);
    onBase.set(key, found);
    return found;
  }
}

/** For a secret that is concatenated from variables, the old file must yield the same value: `a + b` occurs in many files. */
function contains(bytes: Buffer, { piece, hiddenValue }: Secret): boolean {
  const text = decodeText(bytes);
  return text.includes(piece) && (hiddenValue === undefined || readsAs(text, hiddenValue));
}

const isFromGitleaks = ({ finding }: Secret) => finding.rule.startsWith('gitleaks/');

/** Gitleaks reports the same secret under its own rule. It counts once, under our rule, and so does an allowance for it. */
function isSameSecret(ours: Secret, { finding, piece }: Secret): boolean {
  const isSame = ours.finding.file === finding.file && piece.trim() !== '' && ours.piece.includes(piece);
  return isSame && !isFromGitleaks(ours);
}
