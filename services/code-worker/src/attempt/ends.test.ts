import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FettleError, type Outcome } from '@fettle/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ApiClient, createApiClient } from './api-client.ts';
import { endUnsettled } from './ends.ts';

const answer: Outcome = { kind: 'answer', answer: 'Because of the clock.' };
const totals = { parts: 0, turns: 0, tokens: 0, usd: 0 };
const place = { fence: 1, from: 'acting' as const, totals };

/** An api that answers each settle with an error, and takes everything else. */
let refusal: FettleError;
let said: string[];
const server = createServer(async (request, response) => {
  const chunks = await request.toArray();
  const isSettle = request.url?.endsWith('/settle');
  const { outcome } = JSON.parse(Buffer.concat(chunks).toString()) as { outcome?: Outcome };
  said.push(isSettle ? `settle ${outcome?.kind}` : 'release');
  const isTaken = !isSettle || outcome?.kind === 'failure';
  response.writeHead(isTaken ? 200 : refusal.status);
  response.end(JSON.stringify(isTaken ? {} : refusal.toBody()));
});
let api: ApiClient;
beforeEach(async () => {
  said = [];
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  api = createApiClient({ apiUrl, redact: (value) => value, workerKey: 'key', bugPatienceMs: 0 });
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

async function settleAnswer(): Promise<void> {
  const settle = (outcome: Outcome) => api.settle('op_1', { ...place, outcome });
  await settle(answer).catch((error: unknown) =>
    endUnsettled(error, { settle, release: (input) => api.release('op_1', { ...place, ...input }) }),
  );
}

test('an outcome stays for the next attempt where the api fails in itself', async () => {
  refusal = new FettleError('internal', 'something went wrong inside Fettle');
  await settleAnswer();
  expect(new Set(said)).toEqual(new Set(['settle answer', 'release']));
});

test('an outcome that the api refuses is a failure', async () => {
  refusal = new FettleError('bad_request', 'outcome.answer: is too long');
  await settleAnswer();
  expect(said).toEqual(['settle answer', 'settle failure']);
});
