/** Findings of gitleaks, secrets that an operator allows, and a push without gitleaks. See also test/promises. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Allowance } from '@fettle/contract';
import { call, conversationFor, say, turn } from '@fettle/rehearsal';
import { createRandom, synthesize } from '@fettle/secrets/testing';
import { describe, expect, test } from 'vitest';
import { untilActivity } from '../faults/support/observe.ts';
import { proposalOf, statesOf, userMessages } from '../support/events.ts';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import type { TestRepository } from '../support/repository.ts';
import { runFettleOn } from '../support/run-fettle.ts';
import { installSecondScanner } from '../support/second-scanner.ts';

const old = synthesize('ghp_{an36}', createRandom(77));
const files = {
  'config.mjs': `export const token = '${old}';\n`,
  'src/a.mjs': 'export const a = 1;\n',
  '.fettle/config.yml': 'commands: {}\n',
};

const conversations = [
  conversationFor(
    'write a file',
    turn(call('write_file', { path: 'src/c.mjs', content: 'export const c = process.env.TOKEN;\n' })),
    turn(say('Wrote it')),
  ),
  conversationFor(
    'mend what was found',
    turn(call('write_file', { path: 'src/b.mjs', content: 'b = "planted-file-words"\n' })),
    turn(say('Wrote it')),
    turn(call('write_file', { path: 'src/b.mjs', content: 'b = process.env.B\n' })),
    turn(say('Mended planted-title-words\n\nBy planted-summary-words.')),
  ),
  conversationFor(
    'insist',
    turn(call('write_file', { path: 'src/b.mjs', content: 'b = "planted-file-words"\n' })),
    ...Array.from({ length: 5 }, () => turn(say('It stays'))),
  ),
];

const scanner = installSecondScanner();
const platform = await openPlatform({ conversations, settings: { FETTLE_GITLEAKS: scanner.path } });

const run = (description: string, repository: TestRepository) =>
  platform.run(repository.request('implement', description));

async function readBody(url: string): Promise<string> {
  return ((await (await platform.call('GET', url)).json()) as { body: string }).body;
}

test('findings of only the second scanner are sent back to the agent, and redacted in texts', async () => {
  const repository = openRepository(files);
  const { operation, events } = await run('mend what was found', repository);
  const outcome = proposalOf(operation);
  expect(userMessages(events)[1]).toMatch(
    /^The change cannot be proposed because it contains secrets:\n- src\/b\.mjs, line 1: b = "\[redacted\]" \(rule gitleaks\/planted\)\n/,
  );
  expect(statesOf(events).slice(2)).toEqual([
    'verifying',
    'acting',
    'verifying',
    'proposing',
    'awaiting_approval',
  ]);
  expect(outcome.pullRequest.title).toBe('Mended [redacted]');
  const message = repository.git('log', '-1', '--format=%B', outcome.branch);
  expect(message).toMatch(/^Mended \[redacted\]\n\nBy \[redacted\]\./);
  expect(await readBody(outcome.pullRequest.url)).not.toContain('planted');
});

test('a secret that stays ends the work, until an operator allows it', async () => {
  const repository = openRepository(files);
  const { outcome } = (await run('insist', repository)).operation;
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
  const other = openRepository(files);
  const here = { fingerprint, reason: 'a value for tests', days: 30, repository: repository.path };
  expect((await allow({ ...here, repository: other.path })).status).toBe(201);
  expect((await run('insist', repository)).operation.outcome?.kind).toBe('failure');

  expect((await allow(here)).status).toBe(201);
  const second = proposalOf((await run('insist', repository)).operation);
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

test('the same from the command line', async () => {
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

describe('without the second scanner nothing is pushed, and no turn is paid for', () => {
  test.each([
    ['is missing', undefined, /cannot be run/],
    ['finds nothing', '#!/bin/sh\ncat >/dev/null; echo "[]"\n', /did not find a secret that it was given/],
    ['crashes', '#!/bin/sh\nkill -9 $$\n', /gitleaks failed/],
  ])('when it %s', async (what, script, why) => {
    const program = join(scanner.folder, what.replaceAll(' ', '-'));
    if (script !== undefined) writeFileSync(program, script, { mode: 0o755 });
    const blind = await openPlatform({
      conversations,
      settings: { FETTLE_GITLEAKS: program, FETTLE_MAX_ATTEMPTS: '1' },
    });
    const repository = openRepository(files);
    const { id } = await blind.create(repository.request('implement', 'write a file'));
    const waiting = /^queued: waits for a worker; .* cannot work: without gitleaks nothing can be pushed: .*/;
    await untilActivity(blind, id, new RegExp(waiting.source + why.source));
    expect(repository.git('branch', '--list', 'agent/*')).toBe('');
    expect(blind.rehearsal.requests()).toEqual([]);
    await expect.poll(() => blind.worker.log(), { timeout: 20_000 }).toContain('nothing can be pushed');
  });

  test('when it breaks during the turns', async () => {
    const program = join(scanner.folder, 'breaks');
    const script = `#!/bin/sh\n[ -e ${program}-once ] && kill -9 $$\ntouch ${program}-once\nexec ${scanner.path} "$@"\n`;
    writeFileSync(program, script, { mode: 0o755 });
    const blind = await openPlatform({
      conversations,
      settings: { FETTLE_GITLEAKS: program, FETTLE_MAX_ATTEMPTS: '1' },
    });
    const repository = openRepository(files);
    const { operation } = await blind.run(repository.request('implement', 'write a file'));
    expect(operation.outcome).toMatchObject({ kind: 'failure', reason: 'scanner_unavailable' });
    expect(blind.rehearsal.requests()).toHaveLength(2);
    expect(repository.git('branch', '--list', 'agent/*')).toBe('');
  });
});
