import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Allowance } from '@fettle/contract';
import { listSecrets, type Secret } from '@fettle/secrets';
import { createRandom, synthesize } from '@fettle/secrets/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createStanding } from './known-secrets.ts';

const random = createRandom(22);
const token = () => synthesize('ghp_{an36}', random);

function sortOn(allowed: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'standing-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
      cwd: folder,
      encoding: 'utf8',
    }).trim();
  git('init', '-q');
  git('commit', '-qm', 'base', '--allow-empty');
  const allowances: Allowance[] = allowed.map((fingerprint) => ({
    fingerprint,
    repository: null,
    reason: 'a value for tests',
    allowedBy: 'ada',
    allowedAt: '2026-01-01T00:00:00.000Z',
    expiresAt: null,
  }));
  const mirror = join(folder, '.git');
  return createStanding({ mirror, base: git('rev-parse', 'HEAD'), readAllowances: async () => allowances });
}

/** As the second scanner tells of it. */
const seenBySecond = (secret: Secret, rule = 'gitleaks/github-pat', file = secret.finding.file): Secret => ({
  ...secret,
  finding: { ...secret.finding, rule, file, fingerprint: 'fs1-00000000000000aa' },
});

test('what both scanners see is told once, and may pass by the name that ours gives it', async () => {
  const [first, other] = [token(), token()].flatMap((value) =>
    listSecrets(`a = '${value}'`, { filename: 'a.ts' }),
  );
  if (!first || !other) throw new Error('nothing was found');
  const sort = sortOn([first.finding.fingerprint]);
  const sorted = await sort([seenBySecond(first), first, other, seenBySecond(other)]);
  expect(sorted.allowed.map(({ secret }) => secret)).toEqual([first]);
  expect(sorted.fresh).toEqual([other]);
});

test('but not in another file, under another rule of ours, or where nothing in particular is meant', async () => {
  const [first] = listSecrets(`a = '${token()}'`, { filename: 'a.ts' });
  if (!first) throw new Error('nothing was found');
  const sort = sortOn([first.finding.fingerprint]);
  const strangers = [
    seenBySecond(first, 'gitleaks/github-pat', 'b.ts'),
    seenBySecond(first, 'own-secret'),
    { ...seenBySecond(first), piece: '' },
  ];
  expect((await sort([first, ...strangers])).fresh).toEqual(strangers);
});
