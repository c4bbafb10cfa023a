/** A plan is made, decided and carried out once, whichever process dies. */
import { interruptedOutput } from '@fettle/agent';
import type { Decision, Event, Operation, Plan, PlanStatus } from '@fettle/contract';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { openPlatform, openRepository, openWorker } from '../support/lifetime.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum } from '../support/repository.ts';
import type { Environment } from '../support/service-process.ts';
import { findPaidTwice } from './support/check-operation.ts';
import { expectProposal } from './support/expect-proposal.ts';
import { expectKilled, until, untilState } from './support/observe.ts';

const plan: Plan = { tasks: ['make add add'], files: ['sum.mjs'], risks: [], estimate: 'one line' };
const turns = [
  turn(call('read_file', { path: 'sum.mjs' })),
  turn(call('propose_plan', plan)),
  repairSum,
  turn(say('Make add add')),
];
const afterChange = [...turns.slice(0, 2), ...turns.slice(1)];
const repeatOn = interruptedOutput.slice(0, 40);

const platform = await openPlatform({
  conversations: [
    conversation('change', afterChange, { match: 'to change', repeatOn }),
    conversation('approve', turns, { repeatOn }),
  ],
  settings: { FETTLE_LEASE_SECONDS: '2', FETTLE_CONCURRENCY: '1' },
  workers: 0,
});
let api = platform.api;
const repository = openRepository(brokenSum);

const startWorker = (settings?: Environment) => openWorker(platform, settings);

const create = (description: string) =>
  platform.create({ kind: 'implement', description, repository: repository.path, planApproval: true });

/** Like a person who gets no answer: repeats the request. */
async function decide(id: string, version: number, decision: Decision): Promise<Operation> {
  const body = { version, decision, ...(decision === 'change' && { message: 'again, please' }) };
  return until(`${decision} is taken`, async () => {
    const response = await platform
      .call('POST', `/v1/operations/${id}/plan`, { body })
      .catch(() => undefined);
    return response?.ok ? ((await response.json()) as Operation) : undefined;
  });
}

async function expectPlan(id: string, version: number): Promise<void> {
  await untilState(platform, id, 'awaiting_plan');
  const response = await platform.call('GET', `/v1/operations/${id}/plan`);
  expect((await response.json()) as PlanStatus).toMatchObject({ version, plan, decision: null });
}

async function expectCarriedOut(id: string, versions: number): Promise<Event[]> {
  const { operation, events } = await expectProposal(platform, repository, id);
  const numbers = (type: Event['type']) =>
    events.flatMap((event) => (event.type === type && 'version' in event ? [event.version] : []));
  const wanted = Array.from({ length: versions }, (_, index) => index + 1);
  expect([numbers('plan.proposed'), numbers('plan.decided')]).toEqual([wanted, wanted]);
  const told = events.flatMap((event) => (event.type === 'turn.started' && event.told ? [event] : []));
  const approvals = told.filter((event) => event.told?.includes(`has approved plan ${versions}`));
  expect(new Set(approvals.map(({ turn }) => turn)).size).toBe(1);
  const { description } = operation.request;
  expect(findPaidTwice(platform.rehearsal.requests(), description, events)).toEqual([]);
  expect(platform.rehearsal.failures()).toEqual([]);
  return events;
}

test.each([
  'answer-recorded:1',
  'part-finished:1',
  'answer-recorded:2',
  'tool-ran:2',
  'part-finished:2',
  'before-settle',
  'after-settle',
])('the worker killed while it plans, at %s', async (point) => {
  const { id } = await create(`killed at ${point}`);
  await expectKilled(await startWorker({ FETTLE_TEST_CRASH: point }));
  await startWorker();
  await expectPlan(id, 1);
  await decide(id, 1, 'approve');
  await expectCarriedOut(id, 1);
});

test.each(['claimed', 'turn-started:3', 'answered:3', 'tool-ran:3'])(
  'the worker killed after the approval, at %s',
  async (point) => {
    const { id } = await create(`approved and killed at ${point}`);
    const first = await startWorker();
    await expectPlan(id, 1);
    await first.kill();
    await decide(id, 1, 'approve');
    await expectKilled(await startWorker({ FETTLE_TEST_CRASH: point }));
    await startWorker();
    await expectCarriedOut(id, 1);
  },
);

test('a change of the plan, with the worker killed before and after the agent sees it', async () => {
  const { id } = await create('a plan to change');
  const first = await startWorker();
  await expectPlan(id, 1);
  await first.kill();
  await decide(id, 1, 'change');
  for (const point of ['claimed', 'turn-started:3', 'part-finished:3'])
    await expectKilled(await startWorker({ FETTLE_TEST_CRASH: point }));
  await startWorker();
  await expectPlan(id, 2);
  await decide(id, 2, 'approve');
  await expectCarriedOut(id, 2);
});

test('the api killed after it stored the plan, and after it stored the approval', async () => {
  await api.kill();
  const doomed = await platform.startApi({ FETTLE_TEST_CRASH: 'plan-stored' });
  await startWorker();
  const { id } = await create('an api that dies');
  await expectKilled(doomed);
  const doomedToo = await platform.startApi({ FETTLE_TEST_CRASH: 'plan-decided' });
  await expectPlan(id, 1);
  const deciding = decide(id, 1, 'approve');
  await expectKilled(doomedToo);
  api = await platform.startApi();
  await deciding;
  await expectCarriedOut(id, 1);
});

test('a waiting plan has no owner: a restarted api does not count its worker as lost', async () => {
  await startWorker();
  const { id } = await create('left to wait');
  await expectPlan(id, 1);
  await api.kill();
  api = await platform.startApi();
  await startWorker();
  // Longer than a lease.
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  expect(await platform.get(id)).toMatchObject({ state: 'awaiting_plan', attempts: 1 });
  await decide(id, 1, 'approve');
  await expectCarriedOut(id, 1);
});
