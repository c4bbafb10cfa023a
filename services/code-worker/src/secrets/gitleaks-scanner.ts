/** The other scanner, as the worker uses it: found once, looked for again after it failed, and never passed over. */
import type { Secret } from '@fettle/secrets';
import { findGitleaks, GitleaksError, type NamedText, scanTextsWithGitleaks } from '@fettle/secrets/gitleaks';

export interface SecondOpinion {
  /** Why it cannot be had now, if it cannot. */
  problem(): Promise<string | undefined>;
  /** What it sees in the texts; throws a `GitleaksError` where it cannot be asked. */
  scan(texts: NamedText[], signal: AbortSignal): Promise<Secret[]>;
}

export interface SecondOpinionOptions {
  /** Where a fetched one may be: the installation's own folder, and the usual one. */
  homes: string[];
  /** The one to use, where the operator names it. */
  program?: string | undefined;
}

/** One call takes that much text; more is a further call. */
const maxCharacters = 10_000_000;

export function createSecondOpinion({ homes, program }: SecondOpinionOptions): SecondOpinion {
  let found: Promise<string> | undefined;

  function find(): Promise<string> {
    found ??= (program === undefined ? findIn(homes) : proven(program)).catch((error: unknown) => {
      found = undefined;
      throw error;
    });
    return found;
  }

  return {
    async problem() {
      try {
        await find();
        return undefined;
      } catch (error) {
        const { message, advice = '' } = error as Error & { advice?: string };
        return `${message} ${advice}`.trim();
      }
    },
    async scan(texts, signal) {
      const used = await find();
      const secrets: Secret[] = [];
      try {
        for (const batch of inBatches(texts))
          secrets.push(...(await scanTextsWithGitleaks(batch, { program: used, signal })));
      } catch (error) {
        found = undefined;
        throw error;
      }
      return secrets;
    },
  };
}

async function findIn(homes: string[]): Promise<string> {
  const [first = '', ...others] = homes;
  return findGitleaks(first).catch((error: unknown) => {
    if (!(error instanceof GitleaksError) || others.length === 0) throw error;
    return findIn(others);
  });
}

/** A scan of nothing but the canary. */
async function proven(program: string): Promise<string> {
  await scanTextsWithGitleaks([], { program });
  return program;
}

function* inBatches(texts: NamedText[]): Generator<NamedText[]> {
  let batch: NamedText[] = [];
  let characters = 0;
  for (const each of texts) {
    if (batch.length > 0 && characters + each.text.length > maxCharacters) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(each);
    characters += each.text.length;
  }
  if (batch.length > 0) yield batch;
}
