import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFolder } from '../../testing/open-folder.ts';
import { runFettle } from '../../testing/run-fettle.ts';
import { readSince } from './report.ts';

test('applies the rules of the operator, the organization and the repository', async () => {
  const place = openFolder({
    'rules.yml':
      'commands: [{ program: rm, flag: -r, reason: folders stay }]\norganizations: { shop: { commands: [{ program: mv, reason: no }] } }\n',
    '.fettle/config.yml':
      'protectedPaths: [infra/**]\npolicy: { rules: [{ program: touch, decision: approve, reason: look }] }\n',
  });
  const ask = async (line: string, ...args: string[]) => {
    const { exitCode, stdout } = await runFettle(['policy', 'check', line, '--json', ...args], {
      FETTLE_POLICY_FILE: join(place, 'rules.yml'),
    });
    const { decision, rule } = JSON.parse(stdout);
    return [exitCode, decision, rule];
  };
  expect(await ask('rm -r a')).toEqual([3, 'deny', 'operator: rm -r']);
  expect(await ask('mv a b')).toEqual([0, 'allow', 'mv']);
  expect(await ask('mv a b', '--organization', 'shop')).toEqual([3, 'deny', 'organization: mv']);
  expect(await ask('touch a', '--repo', place)).toEqual([3, 'approve', 'repository: touch']);
  expect(await ask('echo x > infra/a', '--repo', place)).toEqual([3, 'deny', 'infra/**']);
  expect(await ask('npm ci')).toEqual([3, 'deny', 'npm ci']);
  expect(await ask('npm ci', '--set-up')).toEqual([0, 'allow', 'npm ci']);
});

test('names the file and the line of a mistake', async () => {
  const FETTLE_POLICY_FILE = join(openFolder({ 'rules.yml': 'commands:\n  - program: rm\n' }), 'rules.yml');
  const result = await runFettle(['policy', 'check', 'ls'], { FETTLE_POLICY_FILE });
  expect(result.exitCode).toBe(2);
  expect(result.stderr).toMatch(/rules\.yml: commands\.0\.reason: .*line 2/);
});

test('--since takes a span or a date', () => {
  const now = Date.parse('2026-03-08T12:00:00Z');
  expect(readSince('7d', now)).toBe('2026-03-01T12:00:00.000Z');
  expect(readSince('90m', now)).toBe('2026-03-08T10:30:00.000Z');
  expect(readSince('2026-01-31')).toBe('2026-01-31T00:00:00.000Z');
  for (const wrong of ['', 'x', '7', '7y', '1', 'd7', '2026'])
    expect(() => readSince(wrong), wrong).toThrow();
});
