import { expect, test } from 'vitest';
import { openFolder } from '../../testing/open-folder.ts';
import { runFettle } from '../../testing/run-fettle.ts';
import type { Diagnosis } from './diagnosis.ts';

async function examine(service: string, settings: Record<string, string>) {
  const given = { FETTLE_HOME: openFolder(), ...settings };
  const { exitCode, stdout } = await runFettle(['doctor', '--service', service, '--json'], given);
  const { findings } = JSON.parse(stdout) as { findings: Diagnosis[] };
  return { exitCode, findings: findings.map(({ name, state, message }) => [name, state, message]) };
}

const keys = { FETTLE_WORKER_KEY: 'k'.repeat(16), REDIS_URL: 'redis://cache' };

test('a service that lacks required settings is named with each of them', async () => {
  expect(await examine('api', { REDIS_URL: keys.REDIS_URL })).toEqual({
    exitCode: 4,
    findings: [['api settings', 'problem', 'the api lacks FETTLE_WORKER_KEY']],
  });
  expect((await examine('broker', {})).findings).toEqual([
    ['broker settings', 'problem', 'the broker lacks FETTLE_BROKER_KEY'],
  ]);
});

test('the settings of a service are checked as that service sees them, and unknown names are shown', async () => {
  expect((await examine('api', { ...keys, FETTLE_LEASE_SECONDS: 'soon' })).findings).toEqual([
    ['api settings', 'problem', expect.stringMatching(/^FETTLE_LEASE_SECONDS: /)],
  ]);
  expect(await examine('api', { ...keys, FETTLE_MAX_PART: '3' })).toEqual({
    exitCode: 0,
    findings: [
      ['setting names', 'warning', 'FETTLE_MAX_PART: no setting has this name, so it has no effect'],
      ['api settings', 'ok', 'valid'],
    ],
  });
  expect((await examine('worker', keys)).findings).toEqual([
    ['worker settings', 'problem', 'ANTHROPIC_API_KEY: is not set (the key for the model API)'],
  ]);
});
