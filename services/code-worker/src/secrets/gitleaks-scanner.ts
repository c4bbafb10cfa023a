/** Runs gitleaks, the second secret scanner. It is located once, and again after a failure. Without it nothing is pushed. */
import { access } from 'node:fs/promises';
import type { Secret } from '@fettle/secrets';
import { findGitleaks, GitleaksError, type NamedText, scanTextsWithGitleaks } from '@fettle/secrets/gitleaks';

export interface GitleaksScanner {
  /** Why gitleaks is not available; undefined if it is. */
  problem(): Promise<string | undefined>;
  /** Returns the secrets in the texts. Throws a `GitleaksError` if gitleaks cannot run. */
  scan(texts: NamedText[], signal: AbortSignal): Promise<Secret[]>;
}

export interface GitleaksScannerOptions {
  /** Folders in which set-up may have installed it: the installation's own, and the default one. */
  homes: string[];
  /** The program that the operator configured, if any. */
  program?: string | undefined;
}

/** The most text for one run of gitleaks. */
const maxCharacters = 10_000_000;

export function createGitleaksScanner({ homes, program }: GitleaksScannerOptions): GitleaksScanner {
  let located: Promise<string> | undefined;

  function locate(): Promise<string> {
    located ??= (program === undefined ? locateIn(homes) : probe(program)).catch((error: unknown) => {
      located = undefined;
      throw error;
    });
    return located;
  }

  return {
    async problem() {
      try {
        // It may have been removed meanwhile.
        await access(await locate()).catch((error: unknown) => {
          located = undefined;
          throw error;
        });
        return undefined;
      } catch (error) {
        const { message, advice = '' } = error as Error & { advice?: string };
        return `${message} ${advice}`.trim();
      }
    },
    async scan(texts, signal) {
      const installed = await locate();
      const secrets: Secret[] = [];
      try {
        for (const batch of inBatches(texts))
          secrets.push(...(await scanTextsWithGitleaks(batch, { program: installed, signal })));
      } catch (error) {
        located = undefined;
        throw error;
      }
      return secrets;
    },
  };
}

async function locateIn(homes: string[]): Promise<string> {
  const [first = '', ...others] = homes;
  return findGitleaks(first).catch((error: unknown) => {
    if (!(error instanceof GitleaksError) || others.length === 0) throw error;
    return locateIn(others);
  });
}

/** Scans only the canary. */
async function probe(program: string): Promise<string> {
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
