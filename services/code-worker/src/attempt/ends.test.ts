import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FettleError, type Outcome, reasons, releaseInputSchema } from '@fettle/contract';
import { GitError } from '@fettle/git';
import { StreamNotOpenError } from '@fettle/queue';
import { SandboxError } from '@fettle/sandbox';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ApiClient, createApiClient } from './api-client.ts';
import { describeError, endUnsettled, reasonOf } from './ends.ts';

const answer: Outcome = { kind: 'answer', answer: 'Because of the clock.' };
const totals = { parts: 0, turns: 0, tokens: 0, usd: 0 };
const position = { fence: 1, from: 'acting' as const, totals };

/** An api that rejects every outcome but a failure, and accepts all other requests. */
let refusal: FettleError;
let requests: string[];
const server = createServer(async (request, response) => {
  const chunks = await request.toArray();
  const isSettle = request.url?.endsWith('/settle');
  const { outcome } = JSON.parse(Buffer.concat(chunks).toString()) as { outcome?: Outcome };
  requests.push(isSettle ? `settle ${outcome?.kind}` : 'release');
  const isAccepted = !isSettle || outcome?.kind === 'failure';
  response.writeHead(isAccepted ? 200 : refusal.status);
  response.end(JSON.stringify(isAccepted ? {} : refusal.toBody()));
});
let api: ApiClient;
beforeEach(async () => {
  requests = [];
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  api = createApiClient({ apiUrl, redact: (value) => value, workerKey: 'key', internalErrorTimeoutMs: 0 });
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

async function settleAnswer(): Promise<void> {
  const settle = (outcome: Outcome) => api.settle('op_1', { ...position, outcome });
  await settle(answer).catch((error: unknown) =>
    endUnsettled(error, { settle, release: (input) => api.release('op_1', { ...position, ...input }) }),
  );
}

test('after an internal error of the api, the next attempt settles the outcome', async () => {
  refusal = new FettleError('internal', 'something went wrong inside Fettle');
  await settleAnswer();
  expect(new Set(requests)).toEqual(new Set(['settle answer', 'release']));
});

test('an outcome that the api rejects becomes a failure', async () => {
  refusal = new FettleError('bad_request', 'outcome.answer: is too long');
  await settleAnswer();
  expect(requests).toEqual(['settle answer', 'settle failure']);
});

const diskFull = reasons.disk_full;

test.each([
  ['disk_full', diskFull, new Error('ENOSPC: no space left on device, write')],
  ['disk_full', diskFull, new Error('MISCONF Errors writing to the AOF file: No space left on device')],
  ['disk_full', 'No room.', new GitError('disk_full', 'No room.', { detail: 'Out of diskspace' })],
  ['sandbox_lost', 'it ended', new SandboxError('ended', 'it ended')],
  ['internal', 'Redis lost events', new StreamNotOpenError('Redis lost events')],
])('%s: %s', (reason, message, error) => {
  expect({ reason: reasonOf(error), message: describeError(error) }).toEqual({ reason, message });
});

test.each([
  new Error('x'.repeat(5_000)),
  new GitError('failed', `git fetch failed: ${'x'.repeat(5_000)}`),
  new SandboxError('start_failed', 'x'.repeat(5_000)),
])('a long message of $name is cut to what the api accepts', (error) => {
  const release = { fence: 1, from: 'acting', why: 'went_wrong', reason: reasonOf(error), totals };
  const { success } = releaseInputSchema.safeParse({ ...release, message: describeError(error) });
  expect(success).toBe(true);
});
