/** What a secret is to an operation: new, there before, or let pass by an operator. */
import type { Allowance } from '@fettle/contract';
import { grepCommit, readBlobsAt } from '@fettle/git';
import { decodeText, readsAs, type Secret } from '@fettle/secrets';
import { readBase } from '../mirror/read-base.ts';

export interface Sorted {
  fresh: Secret[];
  /** The base has them, in this file or in another: they are reported, and nobody is blamed for them. */
  known: Secret[];
  allowed: { secret: Secret; allowance: Allowance }[];
}

export type SortSecrets = (secrets: Secret[]) => Promise<Sorted>;

export interface StandingParts {
  mirror: string;
  base: string;
  /** Asked only where something was found. */
  readAllowances(): Promise<Allowance[]>;
}

/** Of a line that stands in more files than that, the first ones are looked into. */
const maxFiles = 50;
const maxBytes = 100_000_000;

export function createStanding({ mirror, base, readAllowances }: StandingParts): SortSecrets {
  /** The base does not change: each is looked for once. */
  const onBase = new Map<string, Promise<boolean>>();

  async function isOnBase(secret: Secret): Promise<boolean> {
    const before = await readBase(mirror, base, secret.finding.file);
    if (before !== undefined && holds(before, secret)) return true;
    return isElsewhere(secret);
  }

  /** It was moved, or copied, from another file. */
  async function isElsewhere(secret: Secret): Promise<boolean> {
    const line = secret.piece
      .split('\n')
      .reduce((longest, each) => (each.length > longest.length ? each : longest));
    const files = await grepCommit({ mirror, commit: base, line: line.replace(/\r$/, '') });
    const blobs = await readBlobsAt(mirror, base, files.slice(0, maxFiles), { maxBytes });
    return [...blobs.values()].some(({ bytes }) => holds(bytes, secret));
  }

  return async (secrets) => {
    const sorted: Sorted = { fresh: [], known: [], allowed: [] };
    if (secrets.length === 0) return sorted;
    const allowances = new Map((await readAllowances()).map((each) => [each.fingerprint, each]));
    for (const secret of secrets) {
      const { finding, piece } = secret;
      const allowance = allowances.get(finding.fingerprint);
      if (allowance) sorted.allowed.push({ secret, allowance });
      else if (isSecond(secret) && secrets.some((other) => isSeenBy(other, secret))) continue;
      // Without a piece nothing can be compared.
      else if (piece.trim() !== '' && (await remember(secret))) sorted.known.push(secret);
      else sorted.fresh.push(secret);
    }
    return sorted;
  };

  function remember(secret: Secret): Promise<boolean> {
    const { finding, piece, hiddenValue = '' } = secret;
    const key = `${finding.file}\0${piece}\0${hiddenValue}`;
    const found = onBase.get(key) ?? isOnBase(secret);
    onBase.set(key, found);
    return found;
  }
}

/** `a + b` may stand in any file: what is put together by names must have come to the same there. */
function holds(bytes: Buffer, { piece, hiddenValue }: Secret): boolean {
  const text = decodeText(bytes);
  return text.includes(piece) && (hiddenValue === undefined || readsAs(text, hiddenValue));
}

const isSecond = ({ finding }: Secret) => finding.rule.startsWith('gitleaks/');

/**
 * The second scanner names what ours found by a rule of its own. It is told once, by our name, and who let it pass by
 * that name meant the secret.
 */
function isSeenBy(ours: Secret, { finding, piece }: Secret): boolean {
  const isSame = ours.finding.file === finding.file && piece.trim() !== '' && ours.piece.includes(piece);
  return isSame && !isSecond(ours);
}
