/** Whatever a model answers, the operation ends with a correct reason, and the worker continues. */
import { type AnswerBlock, call, conversationFor, say, stopped, type Turn, turn } from '@fettle/rehearsal';
import { describe, expect, test } from 'vitest';
import { ofType, proposalOf, toolOutputs, userMessages } from '../support/events.ts';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { brokenSum } from '../support/repository.ts';
import { shell, shellFile } from '../support/shell-file.ts';

const done = turn(say('Nothing to do'));
const endless: Turn = { ...done, faults: [{ endless: true }] };
const cut = (...content: AnswerBlock[]) => stopped('max_tokens', ...content);
const broken = (rawInput: string) => turn({ type: 'tool_use', name: 'write_file', rawInput });

const conversations = [
  conversationFor('unknown-tool', turn(call('launch_rocket', { now: true })), done),
  conversationFor('bad-input', turn(call('read_file', { path: 7 })), done),
  conversationFor(
    'huge-input',
    turn(call('write_file', { path: 'a', content: { $repeat: { text: 'x', times: 5_000_000 } } })),
    done,
  ),
  conversationFor(
    'large-write',
    turn(call('write_file', { path: 'a', content: { $repeat: { text: 'x', times: 600_000 } } })),
    done,
  ),
  conversationFor('broken-json', broken('{"path": "a", "content": "unfin'), done),
  conversationFor('not-an-object', broken('[1]'), done),
  conversationFor('endless-once', endless, done),
  conversationFor('endless-always', endless, endless, endless),
  conversationFor('max-tokens', cut(say('I think')), done),
  conversationFor('always-cut', cut(say('a')), cut(say('b')), cut(say('c'))),
  conversationFor('refusal', stopped('refusal', say('I will not.'))),
  conversationFor('empty answer', stopped('end_turn')),
  conversationFor('runs-out', turn(call('list_directory', {}))),
  conversationFor('overloaded', {
    ...done,
    faults: [{ status: 529 }, { status: 500 }, { break: 'mid-stream' }],
  }),
  conversationFor('unreachable', { ...done, faults: Array.from({ length: 9 }, () => ({ status: 500 })) }),
  conversationFor(
    'outside',
    turn(
      call('read_file', { path: '../../etc/passwd' }),
      call('write_file', { path: '/tmp/x', content: '' }),
      call('write_file', { path: '.git/hooks/post-commit', content: 'x' }),
    ),
    done,
  ),
  conversationFor(
    'protected',
    turn(
      call('run_command', {
        command: shell('echo "commands: {}" > .fettle/config.yml; echo hi > new.txt'),
      }),
    ),
    done,
  ),
];

const platform = await openPlatform({
  conversations,
  settings: { FETTLE_MODEL_RETRIES: '3', FETTLE_MODEL_CONTEXT_TOKENS: '10000000', FETTLE_MAX_USD: '1000' },
});
const repository = openRepository({ ...brokenSum, ...shellFile });

const ask = (description: string) => platform.run(repository.request('fix', description));

describe('a call that cannot run gets a result, and the model continues', () => {
  test.each([
    ['unknown-tool', /^failed: There is no tool launch_rocket\. The tools are: read_file, /],
    ['bad-input', /^failed: read_file was not run: path: must be text\./],
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

  test('a protected file that a command changed is restored and reported; the rest is proposed', async () => {
    const { operation, events } = await ask('protected');
    expect(toolOutputs(events)[0]).toMatch(
      /These files are not part of the change:\n- \.fettle\/config\.yml: .*an operation does not change the rules/,
    );
    expect(repository.git('diff', '--name-only', 'main', proposalOf(operation).branch)).toBe('new.txt');
  });
});

describe('an incomplete answer is continued a few times', () => {
  test.each(['endless-once', 'max-tokens'])('%s', async (name) => {
    const { operation, events } = await ask(name);
    expect(operation).toMatchObject({ state: 'unchanged', totals: { turns: 2 } });
    const told = userMessages(events);
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

test('a refusal ends the operation with the model’s text', async () => {
  const { operation } = await ask('refusal');
  expect(operation).toMatchObject({
    state: 'failed',
    outcome: { reason: 'model_refused', message: 'I will not.' },
  });
});

test('an empty answer is an end', async () => {
  expect((await ask('empty answer')).operation.state).toBe('unchanged');
});

test('transient failures are retried, and each retry is an event', async () => {
  const { operation, events } = await ask('overloaded');
  expect(operation).toMatchObject({ state: 'unchanged', totals: { turns: 1, parts: 1 } });
  expect(ofType(events, 'turn.retried')).toHaveLength(3);
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
