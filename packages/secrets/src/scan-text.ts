import { describeMatches } from './describe-matches.ts';
import { findSecrets } from './find-secrets.ts';
import type { Finding, Match } from './finding.ts';
import type { Place } from './masking/find-strings.ts';
import { mergeMatches } from './merge-matches.ts';

export interface ScanOptions {
  /** Only for the report: no file name exempts a file from the scan. */
  filename?: string;
  timeoutMs?: number;
  /** Positions of the installation's own secrets, from `Redaction.places`. */
  own?: (text: string) => Place[];
}

/** A finding with its value. `piece` is secret: it is for comparison and never leaves the process. */
export interface Secret {
  finding: Finding;
  /** As written in the text. Empty when the finding is not about a particular place. */
  piece: string;
  /** Also secret: what the piece decodes to, when it was found only by decoding. */
  hiddenValue?: string;
}

/** Fifty megabytes take a few seconds. A text that takes longer was made to. */
const usualTimeoutMs = 20_000;
const maxFindings = 1_000;

/**
 * Returns the secrets in a text. A text that cannot be scanned within the time limit, or that contains more than
 * anyone would read, gets a finding that says so: unscanned text does not count as clean.
 */
export function scanText(text: string, options: ScanOptions = {}): Finding[] {
  return listSecrets(text, options).map(({ finding }) => finding);
}

export function listSecrets(
  text: string,
  { filename = '', timeoutMs = usualTimeoutMs, own }: ScanOptions = {},
): Secret[] {
  const { matches: found, unseenFrom } = findSecrets(text, { timeoutMs });
  const ours = own?.(text).map((place) => ownMatch(text, place)) ?? [];
  const matches = ours.length === 0 ? found : mergeMatches([...ours, ...found]);
  const told = matches.slice(0, maxFindings);
  const end = unseenFrom ?? matches[maxFindings]?.start;
  if (end === undefined) return withPieces(text, told, filename);
  const why =
    unseenFrom === undefined ? `more than ${maxFindings} findings` : `not scanned within ${timeoutMs} ms`;
  const unseen = {
    rule: 'scan-incomplete',
    severity: 'high',
    start: end,
    end,
    value: text,
    hidden: false,
  } as const;
  const secrets = withPieces(text, [...told, unseen], filename);
  const last = secrets.at(-1) as Secret;
  const excerpt = `(${why}: from here on nothing is known)`;
  return secrets.with(-1, { ...last, finding: { ...last.finding, excerpt } });
}

function withPieces(text: string, matches: Match[], filename: string): Secret[] {
  const findings = describeMatches(text, matches, filename);
  return matches.map(({ start, end, hidden, value }, at) => ({
    finding: findings[at] as Finding,
    piece: text.slice(start, end),
    ...(hidden && { hiddenValue: value }),
  }));
}

function ownMatch(text: string, { start, end }: Place): Match {
  return { rule: 'own-secret', severity: 'high', start, end, value: text.slice(start, end), hidden: false };
}

/** Decodes the bytes of any file as text. Binary files also contain characters, and a secret may be among them. */
export function decodeText(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return Buffer.from(bytes.subarray(0, bytes.length & ~1))
      .swap16()
      .toString('utf16le');
  return bytes.toString('utf8');
}
