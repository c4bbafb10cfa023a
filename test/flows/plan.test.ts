/** A plan comes first: the agent only reads, proposes a plan, and continues when a person has decided. */
import type { ErrorBody, Operation, Plan, PlanStatus } from '@fettle/contract';
import { type Conversation, call, conversation, conversationFor, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { findRecordFaults } from '../faults/support/check-operation.ts';
import { expectProposal } from '../faults/support/expect-proposal.ts';
import { listRemains, until, untilState } from '../faults/support/observe.ts';
import { statesOf, toolParts } from '../support/events.ts';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum } from '../support/repository.ts';

const plan: Plan = {
  tasks: ['make add add'],
  files: ['sum.mjs'],
  risks: ['somebody may rely on it'],
  estimate: 'one line',
};
const smaller: Plan = { ...plan, tasks: ['change one sign'], risks: [] };
const read = turn(call('read_file', { path: 'sum.mjs' }));
const done = turn(say('Make add add'));
const propose = (it: unknown) => turn(call('propose_plan', it));
const told = (...contains: string[]) => ({ expect: { lastText: { contains } } });

const conversations: Conversation[] = [
  conversationFor(
    'to approve',
    { ...read, ...told('First make a plan') },
    propose(plan),
    { ...repairSum, ...told('admin has approved plan 1') },
    done,
  ),
  conversationFor(
    'to change',
    propose(plan),
    { ...propose(smaller), ...told('admin wants plan 1 changed', 'admin says:\n\nsmaller, please') },
    { ...repairSum, ...told('admin has approved plan 2', 'and one more word') },
    done,
  ),
  conversationFor(
    'too eagerly',
    turn(
      call('write_file', { path: 'sum.mjs', content: '' }),
      call('run_command', { command: 'touch made' }),
      call('propose_plan', { tasks: [] }),
    ),
    turn(say('I would rather begin.')),
    { ...turn(call('propose_plan', plan), call('propose_plan', smaller)), ...told('There is no plan yet') },
  ),
  conversation('without', [turn(say('No plan.'))], { match: 'without a plan', cycle: true }),
  conversation('other', [propose(plan)]),
];

const platform = await openPlatform({ conversations, settings: { FETTLE_LEASE_SECONDS: '2' } });
const repository = openRepository(brokenSum);

const request = (description: string) =>
  ({ kind: 'implement', description, repository: repository.path, planApproval: true }) as const;

async function planned(description: string, state: Operation['state'] = 'awaiting_plan') {
  const { id } = await platform.create(request(description));
  await untilState(platform, id, state);
  return id;
}

async function getPlan(id: string): Promise<PlanStatus> {
  return (await (await platform.call('GET', `/v1/operations/${id}/plan`)).json()) as PlanStatus;
}

async function decide(id: string, body: unknown) {
  const response = await platform.call('POST', `/v1/operations/${id}/plan`, { body });
  return { status: response.status, body: (await response.json()) as Operation & ErrorBody };
}

const toolsOf = (index: number, words: string) =>
  platform.rehearsal
    .requests()
    .filter(({ body }) => JSON.stringify(body).includes(words))
    .map(({ body }) => (body as { tools: { name: string }[] }).tools.map(({ name }) => name))
    .at(index);

test('approved: nothing is held while the plan waits, and then the work continues', async () => {
  const id = await planned('a plan to approve');
  expect(await platform.get(id)).toMatchObject({
    ...{ attempts: 1, totals: { turns: 2 }, outcome: null },
    activity: 'awaiting plan: waits for a decision about its plan: approve, change or cancel',
  });
  expect(await getPlan(id)).toEqual({
    ...{ version: 1, plan, proposedAt: expect.any(String) },
    ...{ decision: null, decidedBy: null, decidedAt: null, message: null },
  });
  await until('nothing left', () => listRemains(platform.home).length === 0);
  expect(await decide(id, { decision: 'approve', version: 1 })).toMatchObject({
    status: 200,
    body: { state: 'queued' },
  });
  const { operation, events } = await expectProposal(platform, repository, id);
  expect(operation).toMatchObject({ attempts: 2, totals: { turns: 4 } });
  expect(statesOf(events)).toEqual([
    ...['preparing', 'acting', 'awaiting_plan', 'queued'],
    ...['preparing', 'acting', 'verifying', 'proposing', 'awaiting_approval'],
  ]);
  expect(events.flatMap((event) => (event.type.startsWith('plan.') ? [event] : []))).toMatchObject([
    { type: 'plan.proposed', version: 1, plan },
    { type: 'plan.decided', version: 1, decision: 'approve', by: 'admin' },
  ]);
  expect(toolsOf(0, 'a plan to approve')).not.toContain('write_file');
  expect(toolsOf(0, 'a plan to approve')).toContain('propose_plan');
  expect(toolsOf(-1, 'a plan to approve')).toContain('write_file');
  expect(toolsOf(-1, 'a plan to approve')).not.toContain('propose_plan');
  // The same decision again gets the same answer; a different one is too late.
  expect(await decide(id, { decision: 'approve', version: 1 })).toMatchObject({ status: 200 });
  expect(await decide(id, { decision: 'cancel', version: 1 })).toMatchObject({ status: 409 });
  expect(platform.rehearsal.failures()).toEqual([]);
});

test('changed, then approved: a new version, and the old one can no longer be approved', async () => {
  const id = await planned('a plan to change');
  expect(await decide(id, { decision: 'change', version: 1 })).toMatchObject({
    status: 400,
    body: { error: { field: 'message' } },
  });
  await decide(id, { decision: 'change', version: 1, message: 'smaller, please' });
  await until('version 2', async () => (await getPlan(id)).version === 2);
  expect(await getPlan(id)).toMatchObject({ version: 2, plan: smaller, decision: null });
  expect(await decide(id, { decision: 'approve', version: 1 })).toMatchObject({
    status: 409,
    body: { error: { field: 'version', message: expect.stringContaining('is version 2') } },
  });
  const body = { text: 'and one more word' };
  expect((await platform.call('POST', `/v1/operations/${id}/messages`, { body })).status).toBe(201);
  await decide(id, { decision: 'approve', version: 2 });
  const { events } = await expectProposal(platform, repository, id);
  expect(statesOf(events).filter((state) => state === 'awaiting_plan')).toHaveLength(2);
  expect(platform.rehearsal.failures()).toEqual([]);
});

test('a planning agent cannot change anything, gets the reasons for denials, and must propose a plan', async () => {
  const id = await planned('begin too eagerly');
  expect(await getPlan(id)).toMatchObject({ version: 1, plan });
  await decide(id, { decision: 'cancel', version: 1 });
  const events = await platform.follow(id);
  const parts = toolParts(events);
  expect(parts.map(({ tool, status }) => `${tool} ${status}`)).toEqual([
    ...['write_file denied', 'run_command denied', 'propose_plan failed'],
    ...['propose_plan ok', 'propose_plan failed'],
  ]);
  expect(parts[0]?.output).toBe(
    'write_file was not run: there is no approved plan yet, and until then you can only read.',
  );
  expect(parts.flatMap(({ changed }) => changed)).toEqual([]);
  const operation = await platform.get(id);
  expect(operation).toMatchObject({ state: 'cancelled', outcome: { message: 'Cancelled by admin.' } });
  expect(findRecordFaults(operation, events)).toEqual([]);
});

test('an agent without a plan fails with that reason', async () => {
  const id = await planned('go on without a plan', 'failed');
  expect((await platform.get(id)).outcome).toMatchObject({ kind: 'failure', reason: 'no_plan' });
  expect((await platform.get(id)).totals.turns).toBe(3);
});

test('only implement supports plans, and without a plan there is nothing to decide', async () => {
  const body = { ...request('a question'), kind: 'ask' };
  const response = await platform.call('POST', '/v1/operations', { body });
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({
    error: { code: 'not_for_this_kind', field: 'planApproval' },
  });
  const { id } = await platform.create({ ...request('to approve'), planApproval: false });
  expect((await platform.call('GET', `/v1/operations/${id}/plan`)).status).toBe(404);
  expect(await decide(id, { decision: 'approve', version: 1 })).toMatchObject({ status: 409 });
  await platform.call('POST', `/v1/operations/${id}/cancel`);
});

test('a plan without a decision expires', async () => {
  const id = await planned('left alone');
  await platform.api.stop();
  const api = await platform.startApi({ FETTLE_STATE_LIMITS: 'awaiting_plan=1' });
  await untilState(platform, id, 'expired');
  expect((await platform.get(id)).outcome).toMatchObject({ reason: 'expired' });
  expect(await decide(id, { decision: 'approve', version: 1 })).toMatchObject({ status: 409 });
  await api.stop();
});
