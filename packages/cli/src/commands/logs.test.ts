import { expect, test } from 'vitest';
import { eventAt } from '../testing/event.ts';
import { openServer } from '../testing/open-server.ts';
import { runFettle } from '../testing/run-fettle.ts';

test('an unknown operation ends the command at once', async () => {
  const error = { code: 'not_found', message: 'there is no operation', advice: 'Check the id.' };
  const FETTLE_URL = await openServer(({ url }, response) => {
    if (url === '/healthz') response.end('{}');
    else response.writeHead(404).end(JSON.stringify({ error }));
  });
  const startedAt = performance.now();
  const settings = { FETTLE_URL, FETTLE_TOKEN: 'token' };
  const { exitCode, stderr } = await runFettle(['logs', 'op_01kxv3c9m2t8w4r6yq'], settings);
  expect([exitCode, stderr]).toEqual([1, 'fettle: there is no operation\n  Check the id.\n']);
  expect(performance.now() - startedAt).toBeLessThan(4_500);
});

const outcome = {
  kind: 'proposal',
  ...{ draft: false, branch: 'agent/x', headCommit: 'c' },
  pullRequest: { number: 1, url: '/v1/pull-requests/1', title: 'Add up' },
} as const;
const settled = { type: 'operation.settled', state: 'awaiting_approval', outcome } as const;
const dropped = { revision: 2, outcome: { kind: 'unchanged', message: 'It is right as it is.' } } as const;
const events = [
  eventAt(settled, 1),
  eventAt({ type: 'revision.started', revision: 2, by: 'ana' }, 2),
  eventAt({ type: 'revision.ended', ...dropped }, 3),
  eventAt(settled, 4),
];
const at = '2026-11-16T10:00:00.000Z';
const operation = {
  ...{ id: 'op_01kxv3c9m2t8w4r6yq', state: 'awaiting_approval', kind: 'fix', priority: 'medium' },
  request: { kind: 'fix', description: 'x', repository: '/srv/shop', targetFiles: [], priority: 'medium' },
  ...{ repository: 'shop', requestedBy: 'admin', attempts: 1, revision: 2, outcome, waitsFor: null },
  totals: { parts: 1, turns: 1, tokens: 1, usd: 0 },
  ...{ createdAt: at, stateSince: at, settledAt: at, activity: 'awaiting approval', history: [] },
  endedRevisions: [dropped],
};
const pullRequest = {
  ...{ state: 'open', body: '', baseBranch: 'main', diff: '' },
  stat: { files: 1, added: 1, deleted: 1 },
};

/** A server with an operation whose second revision was dropped. Its stream stays open. */
const openRevised = () =>
  openServer(({ url = '' }, response) => {
    if (url.endsWith('/events'))
      for (const event of events) response.write(`id: ${event.position}\ndata: ${JSON.stringify(event)}\n\n`);
    else if (url.endsWith('/messages')) response.end('{"messages":[]}');
    else response.end(JSON.stringify(url.includes('/pull-requests/') ? pullRequest : operation));
  });

test.each([[[]], [['--follow']]])('logs prints every revision with %j, and ends', async (options) => {
  const settings = { FETTLE_URL: await openRevised(), FETTLE_TOKEN: 'token' };
  const { exitCode, stdout } = await runFettle(['logs', operation.id, '--json', ...options], settings);
  const printed = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).position);
  expect([exitCode, printed]).toEqual([0, [1, 2, 3, 4]]);
});

test('show names a revision that was dropped, and why', async () => {
  const settings = { FETTLE_URL: await openRevised(), FETTLE_TOKEN: 'token' };
  const { stdout } = await runFettle(['show', operation.id], settings);
  expect(stdout).toContain('revision 2 ended without a new commit: No change was needed.');
  expect(stdout).toContain('It is right as it is.');
});
