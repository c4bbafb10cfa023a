/** From a request to a pull request on GitHub, over real processes, real HTTP and real git. */
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { proposalOf } from '../support/events.ts';
import { openGithubPlatform } from '../support/github.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum } from '../support/repository.ts';

const { fake, platform, listCommits, readPull } = await openGithubPlatform({
  conversations: [
    conversation('repair', [
      ...[repairSum, turn(say('Add up')), turn(call('write_file', { path: 'NOTES.md', content: 'x\n' }))],
      turn(say('Write a note')),
    ]),
  ],
  files: {
    ...brokenSum,
    '.fettle/config.yml': 'commands:\n  test: node --test\npullRequest:\n  labels: [fettle]\n',
    CODEOWNERS: '*.mjs @ada\n',
  },
});

test('a request ends with one pull request, and a revision adds a commit to it', async () => {
  const request = { kind: 'fix' as const, description: 'the sum is wrong', repository: 'acme/shop' };
  const { operation } = await platform.run({ ...request, origin: `${fake.url}/acme/shop/issues/7` });
  const { pullRequest, branch } = proposalOf(operation);
  expect(pullRequest).toEqual({
    ...{ url: `${fake.url}/acme/shop/pull/1`, number: 1, title: '✓ Add up' },
  });
  const pull = await readPull(1);
  expect(pull).toMatchObject({ title: '✓ Add up', state: 'open', draft: false });
  expect(pull.labels.map(({ name }) => name)).toEqual(['fettle']);
  expect(pull.requested_reviewers.map(({ login }) => login)).toEqual(['ada']);
  expect(pull.body).toContain(`<!-- fettle:operation=${operation.id} -->`);
  expect(pull.body).toContain(`Requested by admin ([request](${fake.url}/acme/shop/issues/7)) · cost $`);
  expect(await listCommits(1)).toEqual(['Add up']);

  const body = { message: 'write a note' };
  await platform.call('POST', `/v1/operations/${operation.id}/request-changes`, { body });
  await platform.follow(operation.id, { times: 2 });
  const after = proposalOf(await platform.get(operation.id));
  expect(after).toMatchObject({ branch, pullRequest: { number: 1 } });
  expect(await listCommits(1)).toEqual(['Add up', 'Write a note']);
  expect((await readPull(1)).body).toContain('Revision 2');
  const { suites } = fake.repository('acme/shop');
  const checks = suites.flatMap(({ runs }) =>
    runs.map(({ name, conclusion, headSha }) => ({ name, conclusion, headSha })),
  );
  expect(checks.at(-1)).toEqual({ name: 'fettle', conclusion: 'success', headSha: after.headCommit });
  expect(checks).toHaveLength(2);
});

const listTokens = () => fake.tokens().filter(({ kind }) => kind === 'installation');

test('tokens are for one repository, with least permissions, and are revoked at the end', async () => {
  await expect
    .poll(() => listTokens().filter(({ isRevoked }) => !isRevoked), { timeout: 30_000 })
    .toEqual([]);
  const { id } = fake.repository('acme/shop');
  const kinds = new Set(
    listTokens().map(({ permissions, repositoryIds }) => {
      const { metadata: _, ...rest } = permissions;
      return JSON.stringify([rest, repositoryIds === 'all' ? 'all' : [...repositoryIds]]);
    }),
  );
  const api = { issues: 'write', pull_requests: 'write', checks: 'write', actions: 'read' };
  expect([...kinds].toSorted()).toEqual(
    [
      [{ contents: 'write' }, [id]],
      [api, [id]],
      // To find repositories.
      [{}, [id]],
      [{}, 'all'],
    ]
      .map((each) => JSON.stringify(each))
      .toSorted(),
  );
});

test('a repository without the App says how to install it', async () => {
  const request = { kind: 'fix', description: 'x', repository: 'other/place' };
  const response = await platform.call('POST', '/v1/operations', { body: request });
  const { error } = (await response.json()) as { error: unknown };
  expect([response.status, error]).toEqual([
    404,
    expect.objectContaining({
      code: 'repository_not_found',
      message: expect.stringMatching(
        /The GitHub App fettle is not installed on other\/place\. Install it at \S+\/installations\/new/,
      ),
    }),
  ]);
});
