import type { ServerResponse } from 'node:http';
import type { OperationDetail } from '@fettle/contract';
import { expect, test } from 'vitest';
import { eventAt } from '../testing/event.ts';
import { openServer } from '../testing/open-server.ts';
import { createApiClient } from './api-client.ts';
import { followOperation } from './follow-operation.ts';

const at = '2026-11-16T10:00:00.000Z';
const operation: OperationDetail = {
  ...{ id: 'op_1', state: 'answered', kind: 'ask', priority: 'medium', repository: 'shop' },
  request: {
    ...{ kind: 'ask', description: 'why', repository: '/srv/shop', targetFiles: [] },
    ...{ priority: 'medium', approvalRequired: true },
  },
  ...{ requestedBy: 'admin', attempts: 1, revision: 1, totals: { parts: 1, turns: 1, tokens: 1, usd: 0 } },
  outcome: { kind: 'answer', answer: 'Because.' },
  ...{ createdAt: at, stateSince: at, settledAt: at },
  ...{ waitsFor: null, activity: 'answered', model: null, history: [] },
};
const outcome = { kind: 'answer', answer: 'Because.' } as const;
const settled = eventAt({ type: 'operation.settled', state: 'answered', outcome });

test('asks again for the outcome when the api is away right after the last event', async () => {
  const answers: ((response: ServerResponse) => void)[] = [
    (response) => response.destroy(),
    (response) => response.writeHead(503).end(),
    (response) => response.end(JSON.stringify(operation)),
  ];
  const url = await openServer(({ url }, response) => {
    if (url?.endsWith('/events')) response.end(`id: 1\ndata: ${JSON.stringify(settled)}\n\n`);
    else answers.shift()?.(response);
  });
  const client = createApiClient({ url, token: 'secret' });
  const { signal } = new AbortController();
  expect(await followOperation({ client, operationId: 'op_1', signal })).toEqual(operation);
  expect(answers).toEqual([]);
});

test('the end of an earlier revision does not end the following of a later one', async () => {
  const proposal: OperationDetail['outcome'] = {
    ...{ kind: 'proposal', draft: false, branch: 'agent/x', headCommit: 'c' },
    pullRequest: { number: 1, url: '/v1/pull-requests/1', title: 't' },
  };
  const settledAgain = { type: 'operation.settled', state: 'awaiting_approval', outcome: proposal } as const;
  const events = [
    eventAt(settledAgain, 1),
    eventAt({ type: 'revision.started', revision: 2, by: 'ana' }, 2),
    eventAt({ type: 'revision.ended', revision: 2, outcome: { kind: 'unchanged', message: 'm' } }, 3),
    eventAt(settledAgain, 4),
  ];
  const now = { ...operation, state: 'awaiting_approval', outcome: proposal, revision: 2 };
  const url = await openServer(({ url }, response) => {
    if (!url?.endsWith('/events')) response.end(JSON.stringify(now));
    else
      for (const event of events) response.write(`id: ${event.position}\ndata: ${JSON.stringify(event)}\n\n`);
  });
  const client = createApiClient({ url, token: 'secret' });
  const seen: number[] = [];
  const onEvent = ({ position }: { position: number }) => void seen.push(position);
  const { signal } = new AbortController();
  expect(await followOperation({ client, operationId: 'op_1', onEvent, signal })).toEqual(now);
  expect(seen).toEqual([1, 2, 3, 4]);
});
