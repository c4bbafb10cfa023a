/** Makes the corpus of secrets and look-alikes for a seed; nothing secret-like is ever written down. */
import { createRandom, synthesize } from '@fettle/secrets/testing';
import { evasiveSecrets } from './evasive.ts';
import { lookAlikes } from './look-alikes.ts';
import { plainSecrets } from './plain.ts';

export interface CorpusCase {
  kind: 'plain' | 'evasive' | 'look-alike';
  type: string;
  filename: string;
  text: string;
}

export function generateSecrets(seed: number): CorpusCase[] {
  const random = createRandom(seed);
  return [
    ...plainSecrets.map((each) => ({ kind: 'plain' as const, ...each, text: synthesize(each.text, random) })),
    ...evasiveSecrets.map(({ type, filename, secret, write }) => ({
      kind: 'evasive' as const,
      type,
      filename,
      text: write(synthesize(secret, random)),
    })),
    ...lookAlikes.map((each) => ({
      kind: 'look-alike' as const,
      ...each,
      text: synthesize(each.text, random),
    })),
  ];
}
