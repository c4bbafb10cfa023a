/** Whatever a model says, the operation ends in a true state with a reason, and the worker goes on. */
import type { Event } from '@fettle/contract';
import { type AnswerBlock, call, conversation, say, type Turn, turn } from '@fettle/rehearsal';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Platform, startPlatform } from '../support/platform.ts';
import { brokenSum, makeRepository, type TestRepository } from '../support/repository.ts';
import { shell, shellFile } from '../support/shell-file.ts';

const done = turn(say('Nothing to do'));
const endless: Turn = { ...done, faults: [{ endless: true }] };
const cut = (...content: AnswerBlock[]): Turn => ({ answer: { content, stop_reason: 'max_tokens' } });
const broken = (rawInput: string) => turn({ type: 'tool_use', name: 'write_file', rawInput });

const conversations = [
  conversation('unknown-tool', [turn(call('launch_rocket', { now: true })), done], { match: 'unknown-tool' }),
  conversation('bad-input', [turn(call('read_file', { path: 7 })), done], { match: 'bad-input' }),
  conversation(
    'huge-input',
    [turn(call('write_file', { path: 'a', content: { $repeat: { text: 'x', times: 5_000_000 } } })), done],
    {
      match: 'huge-input',
    },
  ),
  conversation(
    'large-write',
    [turn(call('write_file', { path: 'a', content: { $repeat: { text: 'x', times: 600_000 } } })), done],
    {
      match: 'large-write',
    },
  ),
  conversation('broken-json', [broken('{"path": "a", "content": "unfin'), done], { match: 'broken-json' }),
  conversation('not-an-object', [broken('[1]'), done], { match: 'not-an-object' }),
  conversation('endless-once', [endless, done], { match: 'endless-once' }),
  conversation('endless-always', [endless, endless, endless], { match: 'endless-always' }),
  conversation('max-tokens', [cut(say('I think')), done], { match: 'max-tokens' }),
  conversation('max-tokens-always', [cut(say('a')), cut(say('b')), cut(say('c'))], { match: 'always-cut' }),
  conversation('refusal', [{ answer: { content: [say('I will not.')], stop_reason: 'refusal' } }], {
    match: 'refusal',
  }),
  conversation('empty', [{ answer: { content: [], stop_reason: 'end_turn' } }], { match: 'empty answer' }),
  conversation('runs-out', [turn(call('list_directory', {}))], { match: 'runs-out' }),
  conversation(
    'overloaded',
    [{ ...done, faults: [{ status: 529 }, { status: 500 }, { break: 'mid-stream' }] }],
    { match: 'overloaded' },
  ),
  conversation('unreachable', [{ ...done, faults: Array.from({ length: 9 }, () => ({ status: 500 })) }], {
    match: 'unreachable',
  }),
  conversation(
    'outside',
    [
      turn(
        call('read_file', { path: '../../etc/passwd' }),
        call('write_file', { path: '/tmp/x', content: '' }),
        call('write_file', { path: '.git/hooks/post-commit', content: 'x' }),
      ),
      done,
    ],
    {
      match: 'outside',
    },
  ),
  conversation(
    'protected',
    [
      turn(
        call('run_command', {
          command: shell('echo "commands: {}" > .fettle/config.yml; echo hi > new.txt'),
        }),
      ),
      done,
    ],
    {
      match: 'protected',
    },
  ),
];

let platform: Platform;
let repository: TestRepository;
beforeAll(async () => {
  platform = await startPlatform({
    conversations,
    settings: { FETTLE_MODEL_RETRIES: '3', FETTLE_MODEL_CONTEXT_TOKENS: '10000000', FETTLE_MAX_USD: '1000' },
  });
  repository = makeRepository({ ...brokenSum, ...shellFile });
});
afterAll(async () => {
  await platform?.close();
  repository?.remove();
});

const ask = (description: string) => platform.run({ kind: 'fix', description, repository: repository.path });

function toolOutputs(events: Event[]): string[] {
  return events.flatMap((event) =>
    event.type === 'part.finished' && event.part.kind === 'tool'
      ? [`${event.part.status}: ${event.part.output}`]
      : [],
  );
}

describe('a call that cannot be carried out is answered, and the model goes on', () => {
  test.each([
    ['unknown-tool', /^failed: There is no tool launch_rocket\. The tools are: read_file, /],
    ['bad-input', /^failed: read_file was not run: path: .*expected string/],
    ['huge-input', /^failed: write_file was not run: the input has \d+ bytes, over the limit of 1000000/],
    ['large-write', /^failed: The content has 600000 bytes, over the limit of 500000 for one write\./],
    ['broken-json', /^failed: write_file was not run: the input is not valid JSON/],
    ['not-an-object', /^failed: write_file was not run: the input is not a JSON object/],
  ])('%s', async (name, output) => {
    const { operation, events } = await ask(name);
    expect(operation).toMatchObject({
      state: 'unchanged',
      outcome: { kind: 'unchanged', message: 'Nothing to do' },
    });
    expect(toolOutputs(events)).toEqual([expect.stringMatching(output)]);
  });

  test('paths that leave the workspace', async () => {
    const { operation, events } = await ask('outside');
    expect(operation.state).toBe('unchanged');
    expect(toolOutputs(events)).toEqual([
      expect.stringMatching(/^denied: .*rule outside/),
      expect.stringMatching(/^denied: .*rule outside/),
      expect.stringMatching(/^denied: .*rule/),
    ]);
  });

  test('a protected file that a command wrote is put back, and said so; the rest is proposed', async () => {
    const { operation, events } = await ask('protected');
    expect(toolOutputs(events)[0]).toMatch(
      /These files are not part of the change:\n- \.fettle\/config\.yml: .*an operation does not change the rules/,
    );
    if (operation.outcome?.kind !== 'proposal') throw new Error(JSON.stringify(operation.outcome));
    expect(repository.git('diff', '--name-only', 'main', operation.outcome.branch)).toBe('new.txt');
  });
});

describe('an answer that is not whole is asked on, a few times', () => {
  test.each(['endless-once', 'max-tokens'])('%s', async (name) => {
    const { operation, events } = await ask(name);
    expect(operation).toMatchObject({ state: 'unchanged', totals: { turns: 2 } });
    const told = events.flatMap((event) => (event.type === 'turn.started' && event.told ? [event.told] : []));
    expect(told[1]).toMatch(/^Your answer was cut off/);
  });

  test.each(['endless-always', 'always-cut'])('%s', async (name) => {
    const { operation } = await ask(name);
    expect(operation).toMatchObject({
      state: 'failed',
      outcome: { reason: 'model_cut_short' },
      totals: { turns: 3 },
    });
  });
});

test('a refusal ends it with the model’s words', async () => {
  const { operation } = await ask('refusal');
  expect(operation).toMatchObject({
    state: 'failed',
    outcome: { reason: 'model_refused', message: 'I will not.' },
  });
});

test('an empty answer is an end', async () => {
  expect((await ask('empty answer')).operation.state).toBe('unchanged');
});

test('passing trouble is waited out, each retry an event', async () => {
  const { operation, events } = await ask('overloaded');
  expect(operation).toMatchObject({ state: 'unchanged', totals: { turns: 1, parts: 1 } });
  expect(events.filter(({ type }) => type === 'turn.retried')).toHaveLength(3);
});

test.each([
  ['unreachable', 'model_unreachable', /500/],
  ['runs-out', 'model_rejected', /rehearsal runs-out, turn 2/],
])('%s ends with reason %s', async (name, reason, message) => {
  const { operation } = await ask(name);
  expect(operation).toMatchObject({
    state: 'failed',
    outcome: { kind: 'failure', reason, message: expect.stringMatching(message) },
  });
});
