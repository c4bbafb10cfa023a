import { call, conversation, say, turn } from '@fettle/rehearsal';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Platform, startPlatform } from '../support/platform.ts';
import { brokenSum, makeRepository, soundSum, type TestRepository } from '../support/repository.ts';
import { runFettleOn } from '../support/run-fettle.ts';
import { shell, shellFile } from '../support/shell-file.ts';

const wrongEdit = turn(call('edit_file', { path: 'sum.mjs', edits: [{ old: 'a - b', new: 'a * b' }] }));
const breakIt = turn(call('edit_file', { path: 'sum.mjs', edits: [{ old: 'a + b', new: 'a * b' }] }));
const claimDone = turn(say('Multiply'));
const conversations = [
  conversation(
    'answer',
    [
      turn(call('read_file', { path: 'sum.mjs' }), call('write_file', { path: 'x', content: 'x' })),
      turn(say('It subtracts.')),
    ],
    {
      match: 'what does add do',
    },
  ),
  conversation('stays-red', [breakIt, ...Array.from({ length: 5 }, () => claimDone)], {
    match: 'stays red',
  }),
  conversation('budget', [wrongEdit, ...Array.from({ length: 9 }, () => turn(call('list_directory', {})))], {
    match: 'budget',
  }),
  conversation(
    'slow',
    [
      turn(call('run_command', { command: shell('trap "" TERM; (setsid sleep 300 &) ; sleep 300') })),
      claimDone,
    ],
    { match: 'slow' },
  ),
  conversation(
    'key-refused',
    [
      turn(call('write_file', { path: 'a', content: 'a' }), call('delete_file', { path: 'a' })),
      { ...turn(say('never said')), faults: [{ status: 401 }] },
    ],
    { match: 'key refused' },
  ),
  conversation(
    'tampers',
    [
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
    ],
    { match: 'tampers' },
  ),
];

const odd = conversation(
  'odd',
  [
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
  ],
  { match: 'odd things' },
);
conversations.push(odd);

let platform: Platform;
let repository: TestRepository;
beforeAll(async () => {
  platform = await startPlatform({ conversations });
  repository = makeRepository({ ...brokenSum, ...shellFile });
});
afterAll(async () => {
  await platform?.close();
  repository?.remove();
});

const branches = () => repository.git('branch', '--format=%(refname:short)').split('\n');

test('a question ends in an answer and writes nothing', async () => {
  const before = branches();
  const { operation, events } = await platform.run({
    kind: 'ask',
    description: 'what does add do?',
    repository: repository.path,
  });
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

test('a change that stays red goes back five times and then becomes a draft that says so', async () => {
  const sound = makeRepository(soundSum);
  onTestFinished(sound.remove);
  const { operation, events } = await platform.run({
    kind: 'fix',
    description: 'stays red',
    repository: sound.path,
  });
  expect(operation.outcome).toMatchObject({ kind: 'proposal', draft: true, reason: 'verification_failed' });
  const phases = events.flatMap((event) => (event.type === 'check.finished' ? [event.phase] : []));
  expect(phases).toEqual(['verify', 'base', 'verify', 'verify', 'verify', 'verify']);
  const told = events.flatMap((event) => (event.type === 'turn.started' && event.told ? [event.told] : []));
  expect(told).toHaveLength(5);
  expect(told[1]).toMatch(
    /these checks of the repository fail[\s\S]*test \(node --test\) ended with exit code 1/,
  );
});

test('a budget ends the work, and what is there is a draft', async () => {
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

test('a change that only works where the agent left things is noticed in a fresh sandbox', async () => {
  const { operation, events } = await platform.run({
    kind: 'fix',
    description: 'tampers',
    repository: repository.path,
  });
  const checks = events.flatMap((event) =>
    event.type === 'check.finished' ? [`${event.phase} ${event.check.ok}`] : [],
  );
  expect(checks).toEqual(['verify true', 'fresh false', 'base false']);
  expect(operation.outcome).toMatchObject({ kind: 'proposal', draft: true, reason: 'verification_failed' });
});

test('a cancelled operation stays cancelled, and its command is gone', async () => {
  const { id } = await platform.create({ kind: 'fix', description: 'slow', repository: repository.path });
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

test('odd paths, a folder in the place of a protected file, edits that explode, a title of dots', async () => {
  const { operation, events } = await platform.run({
    kind: 'fix',
    description: 'odd things',
    repository: repository.path,
  });
  const parts = events.flatMap((event) =>
    event.type === 'part.finished' && event.part.kind === 'tool' ? [event.part] : [],
  );
  expect(parts.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'failed', 'ok']);
  const { branch } = operation.outcome as { branch: string };
  const blob = repository.git('rev-parse', `${branch}:sub/new.txt`);
  expect(parts[0]?.changed).toEqual([{ path: 'sub/new.txt', change: 'written', blob }]);
  expect(parts[1]?.output).toContain('not part of the change');
  expect(parts[3]?.output).toContain('over the limit of 500000');
  if (operation.outcome?.kind !== 'proposal') throw new Error(JSON.stringify(operation.outcome));
  expect(operation.outcome.draft).toBe(false);
  expect(repository.git('diff', '--name-only', 'main', operation.outcome.branch).split('\n')).toEqual([
    'many.txt',
    'sub/new.txt',
    'sum.mjs',
  ]);

  // Cancelling what was proposed closes the pull request and keeps what is known of it.
  const cancelled = await platform.call('POST', `/v1/operations/${operation.id}/cancel`);
  expect(await cancelled.json()).toMatchObject({ state: 'cancelled', outcome: operation.outcome });
  const pullRequest = await platform.call('GET', operation.outcome.pullRequest.url);
  expect(await pullRequest.json()).toMatchObject({ state: 'closed' });
  const activity = async () => (await platform.get(operation.id)).activity;
  await expect.poll(activity).toBe('cancelled: Cancelled by admin.');
  const logs = await runFettleOn(platform, 'logs', operation.id);
  expect(logs.stdout).toContain('▸ cancelled  Cancelled by admin.');
});

test('a change that came to nothing does not hide that the model failed', async () => {
  const { operation, events } = await platform.run({
    ...{ kind: 'fix', description: 'the key refused in the middle', repository: repository.path },
  });
  expect(operation).toMatchObject({
    state: 'failed',
    outcome: { reason: 'model_rejected', message: expect.stringMatching(/^401: .*check ANTHROPIC_API_KEY/) },
  });
  expect(events).toContainEqual(expect.objectContaining({ type: 'turn.failed', turn: 2 }));
});
