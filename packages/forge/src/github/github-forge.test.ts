/** Pull requests on a fake GitHub, over real HTTP. */
import { startFakeGithub } from '@fettle/fake-github';
import { createLog } from '@fettle/log';
import { expect, onTestFinished, test } from 'vitest';
import type { Forge, ForgeRepository, Proposal } from '../forge.ts';
import { githubForge } from './github-forge.ts';
import { openGithub } from './open-github.ts';

const log = createLog('test', 'silent', (text) => text);
const findings = [
  { severity: 'important' as const, file: 'b.txt', line: 1, what: 'It is short.', why: 'It says little.' },
  { severity: 'minor' as const, what: 'No tests.', why: 'It may break.' },
];
const facts = async () => ({ requester: 'Ada <b> @grace', usd: 0.5, findings, proof: 'proven' as const });
const createPull = 'POST /repos/acme/shop/pulls';

async function open({ waitMs = 20_000 } = {}) {
  const fake = await startFakeGithub({
    repositories: [{ name: 'acme/shop', files: { 'a.txt': 'a\n' }, roles: { ada: 'write' } }],
    app: { name: 'Fettle', installedFor: ['acme'] },
  });
  const { app, apiUrl, url } = fake;
  const credentials = {
    kind: 'app' as const,
    ...{ appId: String(app?.app.id), privateKey: app?.privateKey ?? '' },
  };
  const github = openGithub({ credentials, apiUrl, url, log, pacing: false });
  onTestFinished(async () => {
    await github.close();
    await fake.close();
  });
  const stored = new Map<string, { number: number; state: string }>();
  const forge = githubForge({
    ...{ github, log, waitMs },
    findNumber: async (id) => stored.get(id)?.number,
    async storePullRequest({ operationId }, remote) {
      stored.set(operationId, remote);
    },
  });
  const repository = (await forge.resolve('acme/shop')) as ForgeRepository;
  const headCommit = await fake.as('ada').push('acme/shop', 'agent/x', { 'b.txt': 'b\n' }, { from: 'main' });
  const proposal: Proposal = {
    ...{ operationId: 'op_1', repositoryId: 'repo_1', fence: 1, headCommit },
    ...{
      branch: 'agent/x',
      baseBranch: 'main',
      baseCommit: 'b'.repeat(40),
      title: 'Add b',
      body: 'Because.',
    },
    ...{ draft: false, diff: '', stat: { files: 1, added: 1, deleted: 0 }, commits: [] },
    ...{ labels: [], reviewers: [] },
  };
  const pulls = () => [...fake.repository('acme/shop').issues.values()].filter(({ pull }) => pull);
  const propose = (more: Partial<Proposal> = {}) =>
    forge.openPullRequest(repository, { ...proposal, ...more }, facts);
  return { fake, forge: forge as Forge, propose, pulls, stored, repository };
}

test('a proposal is created once, and then updated', async () => {
  const { propose, pulls, stored } = await open();
  const first = await propose({ draft: true });
  expect(pulls()).toMatchObject([{ number: first.number, title: 'Add b', pull: { isDraft: true } }]);
  expect(stored.get('op_1')).toMatchObject({ state: 'draft' });
  const second = await propose({ title: 'Add b and c' });
  expect(second).toEqual({ ...first, title: 'Add b and c' });
  expect(pulls()).toMatchObject([{ title: 'Add b and c', pull: { isDraft: false } }]);
  expect(stored.get('op_1')).toMatchObject({ state: 'open' });
  await propose({ draft: true });
  expect(pulls()).toMatchObject([{ pull: { isDraft: true } }]);
});

test('the check run has the result, and the findings as annotations, once for each commit', async () => {
  const { fake, propose } = await open();
  await propose();
  await propose({ title: 'Again' });
  const runs = fake.repository('acme/shop').suites.flatMap((suite) => suite.runs);
  expect(runs).toMatchObject([
    {
      ...{ name: 'fettle', status: 'completed', conclusion: 'success' },
      output: { title: 'proven', summary: expect.stringContaining('- minor: No tests.') },
      annotations: [{ path: 'b.txt', start_line: 1, annotation_level: 'warning' }],
    },
  ]);
});

test('a name in the text mentions nobody and is no HTML', async () => {
  const { propose, pulls } = await open();
  await propose();
  expect(pulls()[0]?.body).toContain('Requested by Ada \\<b\\> @\u200bgrace · cost $0.50 · operation `op_1`');
});

test('concurrent requests, and one whose answer was lost, end with one pull request', async () => {
  const { fake, propose, pulls, stored } = await open();
  const both = await Promise.all([propose(), propose()]);
  expect(both[0]).toEqual(both[1]);
  // As if the api had been killed before it stored the number.
  stored.clear();
  expect(await propose()).toEqual(both[0]);
  expect(pulls()).toHaveLength(1);
  await fake.as('ada').push('acme/shop', 'agent/y', { 'c.txt': 'c\n' }, { from: 'main' });
  fake.plan(createPull, { drop: 'after' });
  const other = { operationId: 'op_2', branch: 'agent/y' };
  await expect(propose(other)).rejects.toMatchObject({ code: 'forge_unavailable' });
  await propose(other);
  expect(pulls()).toHaveLength(2);
});

test('a slow answer is not waited for, and the next request gets it', async () => {
  const { fake, propose, pulls } = await open({ waitMs: 500 });
  fake.plan(createPull, { delayMs: 1_500 });
  await expect(propose()).rejects.toMatchObject({ code: 'forge_unavailable' });
  await expect
    .poll(
      () =>
        propose().then(
          ({ number }) => number,
          () => 0,
        ),
      { timeout: 20_000 },
    )
    .toBe(1);
  expect(pulls()).toHaveLength(1);
  expect(fake.requests().filter((each) => `${each.method} ${each.path}` === createPull)).toHaveLength(1);
});

test('labels are added; reviewers that GitHub refuses are left out', async () => {
  const { propose, pulls } = await open();
  await propose({ labels: ['fettle'], reviewers: ['acme/team', 'nobody'] });
  expect(pulls()).toMatchObject([{ labels: [{ name: 'fettle' }], pull: { requestedReviewers: [] } }]);
});

test('a closed pull request ends the operation with the reason', async () => {
  const { fake, propose } = await open();
  const { number } = await propose();
  fake.as('ada').closePullRequest({ repository: 'acme/shop', number });
  await expect(propose({ title: 'Again' })).rejects.toMatchObject({
    ...{
      code: 'forge_refused',
      message: `Pull request #${number} is closed, so operation op_1 cannot update it.`,
    },
  });
});

test.each([
  [503, 'forge_unavailable'],
  [403, 'forge_refused'],
  [404, 'forge_refused'],
  [422, 'forge_refused'],
])('status %d is %s', async (status, code) => {
  const { fake, propose } = await open();
  fake.plan(createPull, { status });
  await expect(propose()).rejects.toMatchObject({ code });
});
