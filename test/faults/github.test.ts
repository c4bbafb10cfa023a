/** GitHub and the worker fail in every way that we know of; the work is neither lost nor proposed twice. */
import type { OperationDetail } from '@fettle/contract';
import { runProgram } from '@fettle/process';
import { conversation, say, turn } from '@fettle/rehearsal';
import { describe, expect, test } from 'vitest';
import { ofType, proposalOf } from '../support/events.ts';
import { openGithubPlatform } from '../support/github.ts';
import { atEnd } from '../support/lifetime.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum } from '../support/repository.ts';

const { fake, platform, countPulls, listCommits } = await openGithubPlatform({
  conversations: [conversation('repair', [repairSum, turn(say('Add up'))])],
  files: brokenSum,
  settings: {
    FETTLE_LEASE_SECONDS: '3',
    FETTLE_MAX_OPEN_PULL_REQUESTS: '100',
    FETTLE_MAX_HOURLY_PULL_REQUESTS: '100',
  },
});

const request = (description: string) => ({ kind: 'fix' as const, description, repository: 'acme/shop' });
const createPull = 'POST /repos/acme/shop/pulls';

/** Ends without a kill, which would leave the file with the token of a running git. */
async function startHealthy() {
  const worker = await platform.startWorker();
  atEnd(worker.stop);
  return worker;
}

/** Exactly one pull request with one commit. */
async function expectOneMore(before: number, operation: OperationDetail): Promise<void> {
  const { pullRequest } = proposalOf(operation);
  expect(await countPulls()).toBe(before + 1);
  expect(await listCommits(pullRequest.number)).toEqual(['Add up']);
}

test.each(['after-push', 'before-pull-request', 'after-pull-request', 'before-settle'])(
  'a worker that is killed at %s leaves one pull request',
  async (point) => {
    const before = await countPulls();
    await platform.worker.kill();
    const doomed = await platform.startWorker({ FETTLE_TEST_CRASH: point });
    const { id } = await platform.create(request(`killed at ${point}`));
    expect(await doomed.exited).toMatchObject({ signal: 'SIGKILL' });
    const healthy = await startHealthy();
    await platform.follow(id);
    await expectOneMore(before, await platform.get(id));
    await healthy.stop();
  },
);

describe('with a healthy worker', () => {
  test('a pull request whose answer was lost is found again', async () => {
    await startHealthy();
    const before = await countPulls();
    fake.plan(createPull, { drop: 'after' });
    const { operation } = await platform.run(request('the answer is lost'));
    await expectOneMore(before, operation);
  });

  test('finished work waits while GitHub is down, says so, and does not fail', async () => {
    await startHealthy();
    const before = await countPulls();
    fake.plan('* /repos/acme/shop/pulls*', { status: 503 }, 1_000);
    const { id } = await platform.create(request('GitHub is down'));
    const waits = async () => (await platform.get(id)).waitsFor;
    await expect.poll(waits, { timeout: 60_000 }).toBe('GitHub answers with status 503');
    fake.clearFaults();
    const events = await platform.follow(id);
    await expectOneMore(before, await platform.get(id));
    const answers = ofType(events, 'turn.finished');
    expect(answers).toHaveLength(2);
  });

  test('a rate limit is waited for', async () => {
    await startHealthy();
    const before = await countPulls();
    fake.plan(createPull, { secondaryRateLimit: { retryAfterSeconds: 3 } });
    const { id } = await platform.create(request('too fast'));
    const waits = async () => (await platform.get(id)).waitsFor;
    await expect.poll(waits, { timeout: 60_000 }).toMatch(/^GitHub limits the number of requests until /);
    await platform.follow(id);
    await expectOneMore(before, await platform.get(id));
  });

  test('a token that GitHub revokes early is renewed', async () => {
    await startHealthy();
    const before = await countPulls();
    const { id } = await platform.create(request('the tokens are revoked'));
    for await (const event of platform.watch(id)) {
      if (event.type === 'proposal.committed' || event.type === 'turn.finished')
        for (const token of fake.tokens()) if (token.kind === 'installation') fake.revokeToken(token.id);
      if (event.type === 'operation.settled') break;
    }
    await expectOneMore(before, await platform.get(id));
  });

  test('an installation that lost a permission ends the operation with the reason', async () => {
    await startHealthy();
    const [installation] = fake.installations();
    if (!installation) throw new Error('the App is installed');
    const { permissions } = installation;
    fake.changePermissions(installation, { ...permissions, pull_requests: 'read' });
    const { operation } = await platform.run(request('no permission'));
    fake.changePermissions(installation, permissions);
    expect(operation.outcome).toMatchObject({
      ...{ kind: 'failure', reason: 'forge_refused' },
      message: expect.stringMatching(/lacks the permission pull_requests:write for acme\. Accept it at http/),
    });
    // The branch goes with the operation.
    await expect.poll(() => listBranches('permission'), { timeout: 60_000 }).toEqual([]);
  });
});

async function listBranches(part: string): Promise<string[]> {
  const { folder } = fake.repository('acme/shop');
  const { stdout } = await runProgram(['git', '-C', folder, 'for-each-ref', '--format=%(refname)'], {
    environment: { PATH: process.env.PATH ?? '' },
    timeoutMs: 10_000,
  });
  return stdout
    .toString()
    .split('\n')
    .filter((name) => name.includes(part));
}
