/** A repeated job may be taken before the outbox is delivered. The new worker gets the whole record nevertheless. */
import type { Plan } from '@fettle/contract';
import { connectRedis, openCodeQueue } from '@fettle/queue';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { run } from '../../packages/database/src/testing/postgres-server.ts';
import { ofType } from '../support/events.ts';
import { atEnd, openPlatform, openPostgres, openRepository, postgresBinaries } from '../support/lifetime.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum } from '../support/repository.ts';
import { expectProposal } from './support/expect-proposal.ts';
import { untilState } from './support/observe.ts';

const plan: Plan = { tasks: ['make add add'], files: ['sum.mjs'], risks: [], estimate: 'one line' };
const planned = conversation('planned', [
  turn(call('propose_plan', plan)),
  repairSum,
  turn(say('Make add add')),
]);
/** More than an api delivers in a few seconds. */
const backlog = 5_000;

test.skipIf(postgresBinaries === undefined)('a plan that was approved is not made again', async () => {
  const postgres = await openPostgres();
  const url = await postgres.createDatabase();
  const platform = await openPlatform({ conversations: [planned], settings: { DATABASE_URL: url } });
  const repository = openRepository(brokenSum);
  const request = { description: 'make add add', repository: repository.path };
  const redis = connectRedis(platform.redis.url);
  atEnd(() => redis.disconnect());
  const queue = openCodeQueue(redis);
  atEnd(queue.close);
  const { id } = await platform.create({ kind: 'implement', ...request, planApproval: true });
  await untilState(platform, id, 'awaiting_plan');
  const other = await platform.create({ kind: 'ask', ...request });
  await platform.call('POST', `/v1/operations/${other.id}/pause`);
  const body = `{"type":"notice","level":"info","code":"x","message":"x"}`;
  const row = `'${other.id}', 'event', '${body}', now() FROM generate_series(1, ${backlog})`;
  await run(url, `INSERT INTO outbox (operation_id, kind, payload, created_at) SELECT ${row}`);
  const decision = { version: 1, decision: 'approve' };
  await platform.call('POST', `/v1/operations/${id}/plan`, { body: decision });
  await queue.add({ operationId: id, priority: 'medium', attempt: 99, notBefore: null });
  const { events } = await expectProposal(platform, repository, id);
  expect(ofType(events, 'plan.proposed')).toHaveLength(1);
});
