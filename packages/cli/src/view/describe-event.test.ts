import type { EventBody, FinishedToolPart } from '@fettle/contract';
import { describe, expect, test } from 'vitest';
import { eventAt } from '../testing/event.ts';
import { describeEvent } from './describe-event.ts';
import { renderLine } from './line.ts';
import { showClock } from './text/local-time.ts';

/** The time of eventAt, in the time zone of this machine. */
const time = showClock('2026-11-16T10:00:00.000Z');
const esc = '\u{1b}';

function show(body: EventBody, surface = { width: 60, color: false }): string {
  return describeEvent(eventAt(body), surface.width)
    .map((line) => renderLine(line, surface))
    .join('\n');
}

function tool(part: Partial<FinishedToolPart>): EventBody {
  const call = { kind: 'tool', callId: 'c', tool: 'read_file', input: { path: 'a.ts' } } as const;
  const result = { status: 'ok', output: 'done', durationMs: 4.2, programMs: 0 } as const;
  return { type: 'part.finished', part: { number: 7, turn: 3, ...call, ...result, changed: [], ...part } };
}

test('an interrupted call has no duration', () => {
  const cut = tool({ status: 'interrupted', output: 'cut off', durationMs: 0 });
  expect(show(cut)).toBe('   7  ⊘ interrupted read_file a.ts');
});

test('a new operation', () => {
  const request = { kind: 'fix', description: 'It\nbreaks', repository: 'shop' } as const;
  expect(show({ type: 'operation.created', ...request })).toBe('fix: It breaks\nop_1 on shop');
});

describe('states', () => {
  test('a state with its reason', () => {
    const event = { type: 'operation.state', from: 'verifying', to: 'acting' } as const;
    expect(show({ ...event, message: 'test failed' })).toBe(`▸ acting  ${time}  test failed`);
  });

  test('a settled state prints nothing: the outcome shows it', () => {
    expect(show({ type: 'operation.state', from: 'acting', to: 'failed', reason: 'internal' })).toBe('');
  });

  test('the end of a proposal is shown, because the outcome stays the proposal', () => {
    const event = { type: 'operation.state', from: 'awaiting_approval', to: 'cancelled' } as const;
    expect(show({ ...event, message: 'Cancelled by Ada.' })).toBe(`▸ cancelled  ${time}  Cancelled by Ada.`);
  });
});

describe('parts', () => {
  test('the text of the agent is wrapped', () => {
    const text = 'I run the tests first, so that I see the fault with my own eyes and not with yours.';
    expect(show({ type: 'part.finished', part: { number: 1, turn: 1, kind: 'text', text } })).toBe(
      [
        '   1  I run the tests first, so that I see the fault with my',
        '      own eyes and not with yours.',
      ].join('\n'),
    );
  });

  test('a call with its main argument, its duration and the start of its result', () => {
    const output = ['     1\tone', '     2\ttwo', '     3\tthree', '     4\tfour', '     5\tfive'].join('\n');
    expect(show(tool({ output }))).toBe(
      [
        '   7  ✓ read_file a.ts  4 ms',
        '      │ 1    one',
        '      │ 2    two',
        '      │ 3    three',
        '      │ … 2 more lines',
      ].join('\n'),
    );
  });

  test('an edit as removed and added lines, with the checkpoint', () => {
    const edits = [{ old: 'a\nb\nc', new: 'a\nB\nc' }];
    const part = tool({ tool: 'edit_file', input: { path: 'a.ts', edits }, checkpoint: '0123456789abcdef' });
    expect(show(part)).toBe(
      ['   7  ✓ edit_file a.ts  4 ms  checkpoint 0123456789', '      │ - b', '      │ + B'].join('\n'),
    );
  });

  test('a failed test shows its failures, in red and with the duration of the program', () => {
    const output = '✔ one (1ms)\n✖ two (2ms)\n  at x.ts:1\n✖ two (2.1ms)\n  1 !== 2\n(exit code 1)';
    const part = tool({ tool: 'test', input: {}, status: 'failed', output, programMs: 1_250 });
    expect(show(part)).toBe(
      ['   7  ✗ failed test  1.3 s', '      │ ✖ two (2ms)', '      │   1 !== 2'].join('\n'),
    );
    expect(show(part, { width: 60, color: true })).toContain(`${esc}[31m✗ failed ${esc}[39m`);
  });

  test('a denial shows its reason', () => {
    const call = { tool: 'write_file', input: { path: '.git/x' } };
    expect(show(tool({ ...call, status: 'denied', output: 'not allowed' }))).toBe(
      '   7  ⊘ denied write_file .git/x  4 ms\n      │ not allowed',
    );
  });

  test('a reverted file is named with the reason', () => {
    const denial = {
      ...({ kind: 'file', subject: 'a.ts', token: 'x' } as const),
      ...{ rule: 'github-token', reason: 'it contains a secret' },
    };
    const part = tool({ tool: 'write_file', input: { path: 'a.ts', content: 'x' }, denials: [denial] });
    expect(show(part, { width: 80, color: false })).toBe(
      [
        '   7  ✓ write_file a.ts  4 ms',
        '      │ + x',
        '      │ reverted a.ts: it contains a secret (rule github-token)',
      ].join('\n'),
    );
  });

  test('a long line is cut', () => {
    expect(show(tool({ input: { path: 'x'.repeat(100) }, output: 'y' }), { width: 30, color: false })).toBe(
      `   7  ✓ read_file ${'x'.repeat(11)}…\n      │ y`,
    );
  });
});

const npmTest = { name: 'test', command: 'npm test', timedOut: false, durationMs: 90 } as const;

test('a check in a fresh sandbox', () => {
  const check = { ...npmTest, status: 'passed', exitCode: 0, output: '' } as const;
  expect(show({ type: 'check.finished', phase: 'fresh', round: 1, check })).toBe(
    '  ✓ passed test in a fresh sandbox  npm test  90 ms',
  );
});

test('a check before the change, with its counts and without its output', () => {
  const report = { tool: 'vitest', passed: 3, failed: 1, skipped: 0, failures: [] };
  const check = { ...npmTest, status: 'failed', exitCode: 1, output: 'much', report } as const;
  expect(show({ type: 'check.finished', phase: 'base', round: 1, check }, { width: 100, color: false })).toBe(
    '  fails: test before the change  npm test  90 ms  3 passed, 1 failed',
  );
});

test('a diff is colored', () => {
  const stat = { files: 1, added: 1, deleted: 1 };
  const pullRequest = { number: 1, url: '/', title: 't' };
  const place = { branch: 'b', headCommit: 'c', baseBranch: 'main', draft: false, pullRequest, stat };
  const diff = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n';
  expect(show({ type: 'proposal.opened', ...place, diff }, { width: 60, color: true })).toBe(
    [
      '',
      `  ${esc}[1m--- a/x${esc}[22m`,
      `  ${esc}[1m+++ b/x${esc}[22m`,
      `  ${esc}[36m@@ -1 +1 @@${esc}[39m`,
      `  ${esc}[31m-old${esc}[39m`,
      `  ${esc}[32m+new${esc}[39m`,
    ].join('\n'),
  );
});

test('no foreign text reaches the terminal as a control sequence', () => {
  const hostile = `${esc}]0;owned\u{7}${esc}[2J\r\u{9b}31m\u{202e}gnp\u{7f}`;
  const events: EventBody[] = [
    { type: 'operation.created', kind: 'fix', description: hostile, repository: hostile },
    { type: 'operation.state', from: 'queued', to: 'preparing', message: hostile },
    { type: 'attempt.started', attempt: 2, worker: hostile },
    { type: 'notice', level: 'warning', code: 'x', message: hostile },
    { type: 'workspace.ready', baseBranch: hostile, baseCommit: 'c', sandbox: 'process', durationMs: 1 },
    { type: 'turn.retried', turn: 1, retry: 1, message: hostile, pauseMs: 1 },
    { type: 'part.finished', part: { number: 1, turn: 1, kind: 'text', text: hostile } },
    { type: 'part.finished', part: { number: 1, turn: 1, kind: 'reasoning', text: hostile, block: {} } },
    tool({ tool: hostile, input: { path: hostile }, output: hostile }),
    tool({ tool: 'test', input: { x: hostile }, status: 'failed', output: hostile }),
    tool({ tool: 'edit_file', input: { path: 'a', edits: [{ old: hostile, new: `${hostile}!` }] } }),
    tool({ tool: 'write_file', input: { path: 'a', content: hostile } }),
  ];
  for (const event of events) {
    const shown = show(event);
    expect(shown).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(shown).toContain('␛');
  }
});

describe('messages and plans', () => {
  test('a message, and the turn in which the agent sees it', () => {
    const message = { number: 2, by: 'Ada', text: `leave\n${esc}[31mit` };
    expect(show({ type: 'message.said', message })).toBe('  » Ada: leave\n    ␛[31mit  (message 2)');
    expect(show({ type: 'turn.started', turn: 4, round: 1, messages: [1, 2] })).toBe(
      '  the agent sees message 1, 2 in turn 4',
    );
    expect(show({ type: 'turn.started', turn: 4, round: 1 })).toBe('');
  });

  test('a plan and the decision on it', () => {
    const plan = { tasks: ['one', 'two'], files: ['a.ts'], risks: ['old data'], estimate: 'an hour' };
    expect(show({ type: 'plan.proposed', version: 3, plan })).toBe(
      '  plan 3  an hour\n    1. one\n    2. two\n  files: a.ts\n  risks:\n    -  old data',
    );
    const decided = { type: 'plan.decided', version: 3, decision: 'change', by: 'Ada' } as const;
    expect(show({ ...decided, message: 'less' })).toBe('  Ada asked for changes to plan 3: less');
  });
});
