/** What gitleaks finds, which secrets an operator allows, and a push without gitleaks. See also test/promises. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Allowance } from '@fettle/contract';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { createRandom, synthesize } from '@fettle/secrets/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Platform, startPlatform } from '../support/platform.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { runFettleOn } from '../support/run-fettle.ts';
import { installSecondScanner } from '../support/second-scanner.ts';

const old = synthesize('ghp_{an36}', createRandom(77));
const files = {
  'config.mjs': `export const token = '${old}';\n`,
  'src/a.mjs': 'export const a = 1;\n',
  '.fettle/config.yml': 'commands: {}\n',
};

const conversations = [
  conversation(
    'write',
    [
      turn(call('write_file', { path: 'src/c.mjs', content: 'export const c = process.env.TOKEN;\n' })),
      turn(say('Wrote it')),
    ],
    { match: 'write a file' },
  ),
  conversation(
    'mend',
    [
      turn(call('write_file', { path: 'src/b.mjs', content: 'b = "planted-file-words"\n' })),
      turn(say('Wrote it')),
      turn(call('write_file', { path: 'src/b.mjs', content: 'b = process.env.B\n' })),
      turn(say('Mended planted-title-words\n\nBy planted-summary-words.')),
    ],
    { match: 'mend what was found' },
  ),
  conversation(
    'insist',
    [
      turn(call('write_file', { path: 'src/b.mjs', content: 'b = "planted-file-words"\n' })),
      ...Array.from({ length: 5 }, () => turn(say('It stays'))),
    ],
    { match: 'insist' },
  ),
];

let scanner: ReturnType<typeof installSecondScanner>;
let platform: Platform;
beforeAll(async () => {
  scanner = installSecondScanner();
  platform = await startPlatform({ conversations, settings: { FETTLE_GITLEAKS: scanner.path } });
});
afterAll(async () => {
  await platform?.close();
  scanner?.remove();
});

function openRepository(): TestRepository {
  const repository = makeRepository(files);
  onTestFinished(() => repository.remove());
  return repository;
}

async function run(description: string, repository: TestRepository) {
  const { operation, events } = await platform.run({
    kind: 'implement',
    description,
    repository: repository.path,
  });
  return { outcome: operation.outcome, events };
}

async function readBody(url: string): Promise<string> {
  return ((await (await platform.call('GET', url)).json()) as { body: string }).body;
}

test('what only the second scanner sees goes back to the agent, and is taken out of words', async () => {
  const repository = openRepository();
  const { outcome, events } = await run('mend what was found', repository);
  if (outcome?.kind !== 'proposal') throw new Error(JSON.stringify(outcome));
  const told = events.flatMap((event) => (event.type === 'turn.started' ? (event.told ?? []) : []));
  expect(told[1]).toMatch(
    /^The change cannot be proposed because it contains secrets:\n- src\/b\.mjs, line 1: b = "\[redacted\]" \(rule gitleaks\/planted\)\n/,
  );
  const states = events.flatMap((event) => (event.type === 'operation.state' ? [event.to] : []));
  expect(states.slice(2)).toEqual(['verifying', 'acting', 'verifying', 'proposing', 'awaiting_approval']);
  expect(outcome.pullRequest.title).toBe('Mended [redacted]');
  const message = repository.git('log', '-1', '--format=%B', outcome.branch);
  expect(message).toMatch(/^Mended \[redacted\]\n\nBy \[redacted\]\./);
  expect(await readBody(outcome.pullRequest.url)).not.toContain('planted');
});

test('one that stays ends the work, until an operator lets it pass', async () => {
  const repository = openRepository();
  const { outcome } = await run('insist', repository);
  if (outcome?.kind !== 'failure') throw new Error(JSON.stringify(outcome));
  expect(outcome).toEqual({
    kind: 'failure',
    reason: 'secrets_found',
    message: expect.stringMatching(
      /^Nothing was pushed because the change contains secrets:\n- src\/b\.mjs, line 1: b = "\[redacted\]" \(rule gitleaks\/planted\), fs1-/,
    ),
  });
  expect(repository.git('branch', '--list', 'agent/*')).toBe('');

  const [fingerprint = ''] = /fs1-[0-9a-f]{16}/.exec(outcome.message) ?? [];
  const allow = (body: object) => platform.call('POST', '/v1/secrets/allowed', { body });
  expect((await allow({ fingerprint })).status).toBe(400);
  expect((await allow({ fingerprint: 'x', reason: 'y' })).status).toBe(400);
  const other = openRepository();
  const here = { fingerprint, reason: 'a value for tests', days: 30, repository: repository.path };
  expect((await allow({ ...here, repository: other.path })).status).toBe(201);
  expect((await run('insist', repository)).outcome?.kind).toBe('failure');

  expect((await allow(here)).status).toBe(201);
  const { outcome: second } = await run('insist', repository);
  if (second?.kind !== 'proposal') throw new Error(JSON.stringify(second));
  expect(await readBody(second.pullRequest.url)).toMatch(
    /`src\/b\.mjs`: it contains what looks like a secret, which admin allowed until \d{4}-\d\d-\d\d \(“a value for tests”\): `line 1` \(rule gitleaks\/planted\)/,
  );

  const list = async () =>
    ((await (await platform.call('GET', '/v1/secrets/allowed')).json()) as { allowed: Allowance[] }).allowed;
  expect(await list()).toHaveLength(2);
  const query = `?repository=${encodeURIComponent(repository.path)}`;
  const end = () => platform.call('DELETE', `/v1/secrets/allowed/${fingerprint}${query}`);
  expect((await end()).status).toBe(204);
  expect((await end()).status).toBe(404);
  expect((await list()).map(({ repository: place }) => place)).toEqual([other.path]);
});

test('the same as a person types it', async () => {
  const fingerprint = 'fs1-00112233445566aa';
  const fettle = (...args: string[]) => runFettleOn(platform, 'secrets', ...args);
  expect(await fettle('allow', fingerprint)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--reason is missing'),
  });
  expect(await fettle('allow', 'abc', '--reason', 'x')).toMatchObject({ code: 2 });
  expect(await fettle('allow', fingerprint, '--reason', 'x', '--expires', 'soon')).toMatchObject({ code: 2 });
  const { code, stdout } = await fettle(
    'allow',
    fingerprint,
    '--reason',
    'a test',
    '--expires',
    '30d',
    '--json',
  );
  expect({ code, allowed: JSON.parse(stdout) }).toMatchObject({
    code: 0,
    allowed: { fingerprint, reason: 'a test', allowedBy: 'admin', repository: null },
  });
  expect((await fettle('allowed')).stdout).toMatch(
    new RegExp(
      `^${fingerprint} allowed in all repositories, until \\d{4}-\\d\\d-\\d\\d: a test \\(by admin on `,
      'm',
    ),
  );
  expect(await fettle('disallow', fingerprint)).toMatchObject({ code: 0 });
  expect(await fettle('disallow', fingerprint)).toMatchObject({ code: 1 });
  expect((await fettle('allowed', '--json')).stdout).not.toContain(fingerprint);
});

describe('without the second scanner nothing is pushed', () => {
  test.each([
    ['is missing', undefined, /cannot be run/],
    ['finds nothing', '#!/bin/sh\ncat >/dev/null; echo "[]"\n', /did not find a secret that it was given/],
    ['crashes', '#!/bin/sh\nkill -9 $$\n', /gitleaks failed/],
  ])('when it %s', async (what, script, why) => {
    const program = join(scanner.folder, what.replaceAll(' ', '-'));
    if (script !== undefined) writeFileSync(program, script, { mode: 0o755 });
    const blind = await startPlatform({
      conversations,
      settings: { FETTLE_GITLEAKS: program, FETTLE_MAX_ATTEMPTS: '1' },
    });
    onTestFinished(() => blind.close());
    const repository = openRepository();
    const request = {
      kind: 'implement' as const,
      description: 'write a file',
      repository: repository.path,
    };
    const { operation } = await blind.run(request);
    expect(operation.outcome).toEqual({
      kind: 'failure',
      reason: 'scanner_unavailable',
      message: expect.stringMatching(why),
    });
    expect(repository.git('branch', '--list', 'agent/*')).toBe('');
    await expect.poll(() => blind.worker.log(), { timeout: 20_000 }).toContain('nothing can be pushed');
  });
});
