/**
 * Whether a changed file has secrets that the base has not. Asked for every file that the sandbox hands out, so it has to
 * be quick: of a large file only what changed is looked at, with what stands around it. Before a push all of it is.
 */
import type { ContentObjection } from '@fettle/policy';
import { decodeText, listSecrets, type Redaction, type Secret } from '@fettle/secrets';
import { toObjection } from '../secrets/describe-secrets.ts';
import type { SortSecrets } from '../secrets/known-secrets.ts';

export interface SecretJudgeParts {
  own: Redaction['places'];
  sort: SortSecrets;
  /** The file as it is in the base commit. */
  readBase(path: string): Promise<Buffer | undefined>;
}

export type SecretJudge = (file: { path: string; bytes: Buffer }) => Promise<ContentObjection[]>;

/** That much is scanned in a few milliseconds, which is less than it takes to look up what was there before. */
const alwaysWhole = 64 * 1024;
/** More than the longest secret has, so that none is cut. */
const around = 12 * 1024;
const rememberedFiles = 8;
const timeoutMs = 5_000;

export function createSecretJudge({ own, sort, readBase }: SecretJudgeParts): SecretJudge {
  /** Large files as they were when nothing new was found in them. */
  const clean = new Map<string, string>();

  async function readBefore(path: string): Promise<string | undefined> {
    const remembered = clean.get(path);
    if (remembered !== undefined) return remembered;
    const before = await readBase(path);
    return before && decodeText(before);
  }

  async function scan(path: string, text: string): Promise<Secret[]> {
    const options = { filename: path, timeoutMs, own };
    if (text.length <= alwaysWhole) return listSecrets(text, options);
    const before = await readBefore(path);
    if (before === undefined) return listSecrets(text, options);
    const { start, end } = findChanged(before, text);
    const linesBefore = countLines(text, start);
    return listSecrets(text.slice(start, end), options).map(({ finding, piece }) => ({
      finding: { ...finding, line: finding.line + linesBefore },
      piece,
    }));
  }

  return async ({ path, bytes }) => {
    const text = decodeText(bytes);
    const isBinary = bytes.includes(0) && !isWide(bytes);
    const [inText, inName] = [await scan(path, text), listSecrets(path, { filename: path, own })];
    // Bytes that mean nothing look drawn: of what is binary only what has the form of a secret counts.
    const secrets = [...inText.filter(({ finding }) => !isBinary || finding.severity === 'high'), ...inName];
    const { fresh } = await sort(secrets);
    if (text.length > alwaysWhole && fresh.length === 0) remember(path, text);
    return fresh.map(toObjection);
  };

  function remember(path: string, text: string): void {
    clean.delete(path);
    clean.set(path, text);
    const [oldest] = clean.keys();
    if (clean.size > rememberedFiles && oldest !== undefined) clean.delete(oldest);
  }
}

/** UTF-16 has zeros in it, and is text. */
function isWide(bytes: Buffer): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

/** From the first to the last character that is another one, with whole lines around. */
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
  const start = after.lastIndexOf('\n', Math.max(0, same - around)) + 1;
  const end = after.indexOf('\n', Math.min(after.length, after.length - sameAtEnd + around));
  return { start, end: end === -1 ? after.length : end };
}

function countLines(text: string, end: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
