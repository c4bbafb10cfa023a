/** A repository gets no more pull requests than the operator allows. */
import { conversation, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { proposalOf } from '../support/events.ts';
import { openGithubPlatform } from '../support/github.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum } from '../support/repository.ts';

const { platform, readPull } = await openGithubPlatform({
  conversations: [conversation('repair', [repairSum, turn(say('Add up'))])],
  files: brokenSum,
  settings: { FETTLE_MAX_OPEN_PULL_REQUESTS: '1' },
});
const request = (description: string) => ({ kind: 'fix' as const, description, repository: 'acme/shop' });

test('an operation over the limit waits, says so, and goes on when a pull request is closed', async () => {
  const { operation: first } = await platform.run(request('the first'));
  const { id } = await platform.create(request('the second'));
  const waits = async () => (await platform.get(id)).waitsFor;
  await expect
    .poll(waits, { timeout: 30_000 })
    .toBe(
      'one of the 1 open pull requests in acme/shop to be merged or closed (FETTLE_MAX_OPEN_PULL_REQUESTS)',
    );
  // A cancelled operation closes its pull request on GitHub.
  await platform.call('POST', `/v1/operations/${first.id}/cancel`);
  const stateOf = async () => (await readPull(proposalOf(first).pullRequest.number)).state;
  await expect.poll(stateOf, { timeout: 60_000 }).toBe('closed');
  await platform.follow(id);
  expect(proposalOf(await platform.get(id)).pullRequest.number).toBe(2);
});
