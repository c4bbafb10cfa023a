import type { Allowance } from '@fettle/contract';
import { listSecrets, type Secret } from '@fettle/secrets';
import { createRandom, synthesize } from '@fettle/secrets/testing';
import { expect, test } from 'vitest';
import { makeRepository } from '../testing/make-repository.ts';
import { createSecretSorter } from './known-secrets.ts';

const random = createRandom(22);
const token = () => synthesize('ghp_{an36}', random);

async function sorterWith(allowed: string[]) {
  const repository = await makeRepository();
  const base = await repository.commit({});
  const allowances: Allowance[] = allowed.map((fingerprint) => ({
    ...{ fingerprint, repository: null, reason: 'a value for tests', allowedBy: 'ada' },
    ...{ allowedAt: '2026-01-01T00:00:00.000Z', expiresAt: null },
  }));
  return createSecretSorter({ mirror: repository.mirror, base, readAllowances: async () => allowances });
}

/** The same secret as gitleaks reports it. */
const asSeenByGitleaks = (
  secret: Secret,
  rule = 'gitleaks/github-pat',
  file = secret.finding.file,
): Secret => ({
  ...secret,
  finding: { ...secret.finding, rule, file, fingerprint: 'fs1-00000000000000aa' },
});

test('a secret that both scanners find counts once, and can be allowed by our fingerprint', async () => {
  const [first, other] = [token(), token()].flatMap((value) =>
    listSecrets(`a = '${value}'`, { filename: 'a.ts' }),
  );
  if (!first || !other) throw new Error('no secret found');
  const sort = await sorterWith([first.finding.fingerprint]);
  const sorted = await sort([asSeenByGitleaks(first), first, other, asSeenByGitleaks(other)]);
  expect(sorted.allowed.map(({ secret }) => secret)).toEqual([first]);
  expect(sorted.fresh).toEqual([other]);
});

test('but not in another file, under another rule of ours, or without the matched text', async () => {
  const [first] = listSecrets(`a = '${token()}'`, { filename: 'a.ts' });
  if (!first) throw new Error('no secret found');
  const sort = await sorterWith([first.finding.fingerprint]);
  const others = [
    asSeenByGitleaks(first, 'gitleaks/github-pat', 'b.ts'),
    asSeenByGitleaks(first, 'own-secret'),
    { ...asSeenByGitleaks(first), piece: '' },
  ];
  expect((await sort([first, ...others])).fresh).toEqual(others);
});
