import { call, conversationFor, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { checksOf, ofType, proposalOf, toolParts, userMessages } from '../support/events.ts';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { brokenSum, soundSum } from '../support/repository.ts';
import { runFettleOn } from '../support/run-fettle.ts';
import { shell, shellFile } from '../support/shell-file.ts';

const wrongEdit = turn(call('edit_file', { path: 'sum.mjs', edits: [{ old: 'a - b', new: 'a * b' }] }));
const breakIt = turn(call('edit_file', { path: 'sum.mjs', edits: [{ old: 'a + b', new: 'a * b' }] }));
const claimDone = turn(say('Multiply'));
const conversations = [
  conversationFor(
    'what does add do',
    turn(call('read_file', { path: 'sum.mjs' }), call('write_file', { path: 'x', content: 'x' })),
    turn(say('It subtracts.')),
  ),
  conversationFor('stays red', breakIt, ...Array.from({ length: 5 }, () => claimDone)),
  conversationFor('budget', wrongEdit, ...Array.from({ length: 9 }, () => turn(call('list_directory', {})))),
  conversationFor(
    'slow',
    turn(call('run_command', { command: shell('trap "" TERM; (setsid sleep 300 &) ; sleep 300') })),
    claimDone,
  ),
  conversationFor(
    'key refused',
    turn(call('write_file', { path: 'a', content: 'a' }), call('delete_file', { path: 'a' })),
    { ...turn(say('never said')), faults: [{ status: 401 }] },
  ),
  conversationFor(
    'tampers',
    turn(
      call('edit_file', {
        path: 'sum.mjs',
        edits: [
          { old: 'a - b', new: 'a + b + Number(process.env.OFFSET ?? 1) * 0 + (globalThis.shift ?? 0)' },
        ],
      }),
    ),
    turn(
      call('run_command', {
        command: shell('mkdir -p node_modules/x && echo "export const y = 0;" > node_modules/x/y.mjs'),
      }),
    ),
    turn(
      call('edit_file', {
        path: 'sum.mjs',
        edits: [
          { old: 'export const add', new: "import { y } from './node_modules/x/y.mjs';\nexport const add" },
        ],
      }),
    ),
    turn(say('Works for me')),
  ),
];

const odd = conversationFor(
  'odd things',
  turn(
    call('write_file', { path: './/sub/./new.txt', content: 'new\n' }),
    call('run_command', {
      command: shell('rm .fettle/config.yml && mkdir .fettle/config.yml && echo x > .fettle/config.yml/x'),
    }),
    call('write_file', { path: 'many.txt', content: { $repeat: { text: 'a', times: 400_000 } } }),
    call('edit_file', { path: 'many.txt', edits: [{ old: 'a', new: 'b'.repeat(10_000), all: true }] }),
    call('edit_file', { path: 'sum.mjs', edits: [{ old: 'a - b', new: 'a + b' }] }),
  ),
  turn(say({ $repeat: { text: '.', times: 300_000 } } as never)),
);
conversations.push(odd);

const platform = await openPlatform({ conversations });
const repository = openRepository({ ...brokenSum, ...shellFile });

const branches = () => repository.git('branch', '--format=%(refname:short)').split('\n');

test('a question ends in an answer and writes nothing', async () => {
  const before = branches();
  const { operation, events } = await platform.run(repository.request('ask', 'what does add do?'));
  expect(operation).toMatchObject({
    state: 'answered',
    outcome: { kind: 'answer', answer: 'It subtracts.' },
  });
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'part.finished',
      part: expect.objectContaining({ tool: 'write_file', status: 'failed' }),
    }),
  );
  expect(branches()).toEqual(before);
});

test('a change whose checks keep failing is sent back five times and then becomes a draft with that reason', async () => {
  const sound = openRepository(soundSum);
  const { operation, events } = await platform.run(sound.request('fix', 'stays red'));
  expect(operation.outcome).toMatchObject({ kind: 'proposal', draft: true, reason: 'verification_failed' });
  const phases = ofType(events, 'check.finished').map(({ phase }) => phase);
  expect(phases).toEqual(['verify', 'base', 'verify', 'verify', 'verify', 'verify', 'fresh']);
  const told = userMessages(events);
  expect(told).toHaveLength(5);
  expect(told[1]).toMatch(
    /these checks of the repository fail[\s\S]*test \(node --test\) ended with exit code 1/,
  );
});

test('a used-up budget ends the work with a draft', async () => {
  const { operation } = await platform.run({
    kind: 'fix',
    description: 'budget',
    repository: repository.path,
    budgets: { turns: 3 },
  });
  expect(operation).toMatchObject({
    state: 'awaiting_approval',
    totals: { turns: 3 },
    outcome: { kind: 'proposal', draft: true, reason: 'budget_turns', message: '3 of 3 turns are used up' },
  });
});

test('a change that only works with leftovers of the agent fails in a fresh sandbox', async () => {
  const { operation, events } = await platform.run(repository.request('fix', 'tampers'));
  const checks = checksOf(events);
  expect(checks).toEqual(['verify passed', 'fresh failed', 'base failed']);
  expect(operation.outcome).toMatchObject({ kind: 'proposal', draft: true, reason: 'verification_failed' });
});

test('a cancelled operation stays cancelled, and its command has ended', async () => {
  const { id } = await platform.create(repository.request('fix', 'slow'));
  const response = await platform.call('GET', `/v1/operations/${id}/events`);
  const { readEventStream } = await import('../support/read-event-stream.ts');
  for await (const event of readEventStream(response)) if (event.type === 'turn.finished') break;
  const cancelled = await platform.call('POST', `/v1/operations/${id}/cancel`);
  expect(await cancelled.json()).toMatchObject({ state: 'cancelled', outcome: { reason: 'cancelled' } });
  const again = await platform.call('POST', `/v1/operations/${id}/cancel`);
  expect(again.status).toBe(200);
  await expect.poll(() => leftOver('sleep 300'), { timeout: 30_000 }).toEqual([]);
  expect(await (await platform.call('GET', `/v1/operations/${id}`)).json()).toMatchObject({
    state: 'cancelled',
  });
});

/** Processes of this test run whose command line has the given words. */
function leftOver(words: string): string[] {
  const { execFileSync } = process.getBuiltinModule('node:child_process');
  const listed = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' });
  return listed
    .split('\n')
    .filter((line) => line.includes(words) && !line.includes('trap') && !line.includes('ps -eo'));
}

test('unusual paths, a folder in place of a protected file, huge edits, a title of dots', async () => {
  const { operation, events } = await platform.run(repository.request('fix', 'odd things'));
  const parts = toolParts(events);
  expect(parts.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'failed', 'ok']);
  const { branch, draft, pullRequest } = proposalOf(operation);
  const blob = repository.git('rev-parse', `${branch}:sub/new.txt`);
  expect(parts[0]?.changed).toEqual([{ path: 'sub/new.txt', change: 'written', blob }]);
  expect(parts[1]?.output).toContain('not part of the change');
  expect(parts[3]?.output).toContain('over the limit of 500000');
  expect(draft).toBe(false);
  expect(repository.git('diff', '--name-only', 'main', branch).split('\n')).toEqual([
    'many.txt',
    'sub/new.txt',
    'sum.mjs',
  ]);

  // Cancelling what was proposed closes the pull request and keeps what is known of it.
  const cancelled = await platform.call('POST', `/v1/operations/${operation.id}/cancel`);
  expect(await cancelled.json()).toMatchObject({ state: 'cancelled', outcome: operation.outcome });
  const closed = await platform.call('GET', pullRequest.url);
  expect(await closed.json()).toMatchObject({ state: 'closed' });
  const activity = async () => (await platform.get(operation.id)).activity;
  await expect.poll(activity, { timeout: 60_000 }).toBe('cancelled: Cancelled by admin.');
  const logs = async () => (await runFettleOn(platform, 'logs', operation.id)).stdout;
  await expect.poll(logs, { timeout: 120_000 }).toMatch(/▸ cancelled {2}[\d:]{8} {2}Cancelled by admin\./);
});

test('an empty change does not hide that the model failed', async () => {
  const { operation, events } = await platform.run(
    repository.request('fix', 'the key refused in the middle'),
  );
  expect(operation).toMatchObject({
    state: 'failed',
    outcome: { reason: 'model_rejected', message: expect.stringMatching(/^401: .*check ANTHROPIC_API_KEY/) },
  });
  expect(events).toContainEqual(expect.objectContaining({ type: 'turn.failed', turn: 2 }));
});
