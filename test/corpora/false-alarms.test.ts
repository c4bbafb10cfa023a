/** What the scanner flags where nothing is a secret, and what another scanner finds of the same secrets. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { scanText } from '@fettle/secrets';
import { findGitleaks, scanTextsWithGitleaks } from '@fettle/secrets/gitleaks';
import { expect, test } from 'vitest';
import { type CorpusCase, generateSecrets } from './secrets/generate.ts';
import { countFalseAlarms, largePackages, listOwnSources, listPackageSources } from './secrets/sources.ts';

test('nothing of this repository is taken for a secret', () => {
  const { findings } = countFalseAlarms(listOwnSources());
  expect(findings.map(({ file, line, rule }) => `${file}:${line} ${rule}`)).toEqual([]);
});

test.each(largePackages)('of the sources of %s, at most one line in ten thousand is', (name) => {
  const { lines, inTenThousandLines } = countFalseAlarms(listPackageSources(name));
  expect(lines).toBeGreaterThan(5_000);
  expect(inTenThousandLines).toBeLessThanOrEqual(1);
});

const program = await findGitleaks(process.env.FETTLE_HOME || join(homedir(), '.fettle')).catch(
  () => undefined,
);

test.each([3, 5, 7])('gitleaks alone finds less of the corpus with seed %i', async (seed) => {
  // Without it there is nothing to compare with; that it is there is for others to test.
  if (program === undefined) return;
  const corpus = generateSecrets(seed);
  const texts = corpus.map(({ text }, at) => ({ name: String(at), text }));
  const named = new Set((await scanTextsWithGitleaks(texts, { program })).map(({ finding }) => finding.file));
  const shareOf = (kind: CorpusCase['kind'], isFound: (at: number) => boolean) => {
    const cases = [...corpus.entries()].filter(([, each]) => each.kind === kind);
    return cases.filter(([at]) => isFound(at)).length / cases.length;
  };
  const byUs = (at: number) => scanText(corpus[at]?.text ?? '').length > 0;
  for (const kind of ['plain', 'evasive'] as const) {
    const theirs = shareOf(kind, (at) => named.has(String(at)));
    expect(theirs).toBeGreaterThan(0.1);
    expect(shareOf(kind, byUs)).toBeGreaterThan(theirs);
  }
  expect(shareOf('look-alike', byUs)).toBeLessThanOrEqual(0.02);
});
