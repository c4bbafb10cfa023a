import { scanText } from '@fettle/secrets';
import { describe, expect, test } from 'vitest';
import { type CorpusCase, generateSecrets } from './secrets/generate.ts';

const seeds = Array.from({ length: 25 }, (_, index) => index * 7919 + 1);
const corpora = seeds.map(generateSecrets);
const names = (corpora[0] ?? []).map(({ kind, type }, index) => ({ kind, type, index }));
const wanted = { plain: 0.95, evasive: 0.75, 'look-alike': 0.02 };

const isFound = ({ text, filename }: CorpusCase) => scanText(text, { filename }).length > 0;
const found = corpora.map((corpus) => corpus.map(isFound));

/** The share of the seeds for which the case has a finding. */
function shareOf(index: number): number {
  return found.filter((each) => each[index]).length / seeds.length;
}

// Drawn values may look written by chance, so one seed of many may fail; a case that fails more often is broken.
describe.each(names)('$kind secret: $type', ({ kind, index }) => {
  test(kind === 'look-alike' ? 'is left alone' : 'is found', () => {
    if (kind === 'look-alike') expect(shareOf(index)).toBeLessThanOrEqual(0.08);
    else expect(shareOf(index)).toBeGreaterThanOrEqual(0.8);
  });
});

describe.each(seeds.map((seed, at) => ({ seed, at })))('with seed $seed', ({ at }) => {
  const share = (kind: CorpusCase['kind']) => {
    const cases = names.filter((each) => each.kind === kind);
    return cases.filter(({ index }) => found[at]?.[index]).length / cases.length;
  };
  test('at least 95 percent of plain secrets are found', () => {
    expect(share('plain')).toBeGreaterThanOrEqual(wanted.plain);
  });
  test('at least 75 percent of evasive ones', () => {
    expect(share('evasive')).toBeGreaterThanOrEqual(wanted.evasive);
  });
  test('at most 2 percent of look-alikes', () => {
    expect(share('look-alike')).toBeLessThanOrEqual(wanted['look-alike']);
  });
});

test('a finding never holds what it found', () => {
  for (const { kind, text, filename } of corpora.flat()) {
    if (kind !== 'plain') continue;
    const long = text.match(/[A-Za-z0-9+/_-]{24,}/g) ?? [];
    const told = JSON.stringify(scanText(text, { filename }));
    const leaked = long.filter((run) => /\d/.test(run) && told.includes(run));
    expect(leaked).toEqual([]);
  }
});
