/**
 * Finds secrets in a changed file that the base commit does not have. It runs for every file that is saved, so it must be
 * fast: in a large file only the changed part is scanned, with its surroundings. The scan before a push covers everything.
 */
import type { ContentObjection } from '@fettle/policy';
import {
  decodeText,
  type LineFinder,
  listSecrets,
  listWithheldLines,
  type Redaction,
  type Secret,
} from '@fettle/secrets';
import { toObjection } from '../secrets/describe-secrets.ts';
import type { SortSecrets } from '../secrets/known-secrets.ts';

export interface SecretJudgeParts {
  own: Redaction['places'];
  /** Finds lines of the base's withheld files. */
  findWithheld: LineFinder;
  sort: SortSecrets;
  /** The content of the file in the base commit. */
  readBase(path: string): Promise<Buffer | undefined>;
}

export type SecretJudge = (file: { path: string; bytes: Buffer }) => Promise<ContentObjection[]>;

/** Scanning this much takes a few milliseconds, which is less than reading the old content. */
const maxWholeScan = 64 * 1024;
/** Longer than any secret, so that none is cut. */
const contextLength = 12 * 1024;
const rememberedFiles = 8;
const timeoutMs = 5_000;

export function createSecretJudge({ own, findWithheld, sort, readBase }: SecretJudgeParts): SecretJudge {
  /** The last version of large files in which nothing new was found. */
  const clean = new Map<string, string>();

  async function readBefore(path: string): Promise<string | undefined> {
    const remembered = clean.get(path);
    if (remembered !== undefined) return remembered;
    const before = await readBase(path);
    return before && decodeText(before);
  }

  async function scan(path: string, text: string): Promise<Secret[]> {
    const list = (part: string) => [
      ...listSecrets(part, { filename: path, timeoutMs, own }),
      ...listWithheldLines(part, findWithheld, path),
    ];
    if (text.length <= maxWholeScan) return list(text);
    const before = await readBefore(path);
    if (before === undefined) return list(text);
    const { start, end } = findChanged(before, text);
    const linesBefore = countLines(text, start);
    return list(text.slice(start, end)).map(({ finding, piece }) => ({
      finding: { ...finding, line: finding.line + linesBefore },
      piece,
    }));
  }

  return async ({ path, bytes }) => {
    const text = decodeText(bytes);
    const isBinary = bytes.includes(0) && !isWide(bytes);
    const [inText, inName] = [await scan(path, text), listSecrets(path, { filename: path, own })];
    // Binary data looks random: only a match of a known secret format counts there.
    const secrets = [...inText.filter(({ finding }) => !isBinary || finding.severity === 'high'), ...inName];
    const { fresh } = await sort(secrets);
    if (text.length > maxWholeScan && fresh.length === 0) remember(path, text);
    return fresh.map(toObjection);
  };

  function remember(path: string, text: string): void {
    clean.delete(path);
    clean.set(path, text);
    const [oldest] = clean.keys();
    if (clean.size > rememberedFiles && oldest !== undefined) clean.delete(oldest);
  }
}

/** UTF-16 text contains zero bytes. */
function isWide(bytes: Buffer): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

/** The range from the first to the last changed character, extended to whole lines of context. */
function findChanged(before: string, after: string): { start: number; end: number } {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before.charCodeAt(same) === after.charCodeAt(same)) same += 1;
  let sameAtEnd = 0;
  while (
    sameAtEnd < shorter - same &&
    before.charCodeAt(before.length - 1 - sameAtEnd) === after.charCodeAt(after.length - 1 - sameAtEnd)
  )
    sameAtEnd += 1;
  const start = after.lastIndexOf('\n', Math.max(0, same - contextLength)) + 1;
  const end = after.indexOf('\n', Math.min(after.length, after.length - sameAtEnd + contextLength));
  return { start, end: end === -1 ? after.length : end };
}

function countLines(text: string, end: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
