import type { Operation, Outcome } from '@fettle/contract';
import { expect, test } from 'vitest';
import { describeOutcome } from './describe-outcome.ts';
import { renderLine } from './line.ts';

function show(outcome: Outcome, state: Operation['state'], width = 60, body = '', open = 'open'): string[] {
  const settledAt = '2026-11-16T10:00:05.000Z';
  const operation: Operation = {
    ...{ id: 'op_1', state, kind: 'fix', priority: 'medium', repository: 'shop', requestedBy: 'ana' },
    request: {
      ...{ kind: 'fix', description: 'x', repository: "/srv/Ana's shop", targetFiles: [] },
      ...{ priority: 'medium', approvalRequired: true },
    },
    ...{
      attempts: 1,
      revision: 1,
      totals: { parts: 1, turns: 1, tokens: 1, usd: 0 },
      outcome,
      waitsFor: null,
    },
    ...{ createdAt: '2026-11-16T10:00:00.000Z', stateSince: settledAt, settledAt },
  };
  const stat = { files: 2, added: 18, deleted: 3 };
  const pullRequest = { state: open, body, baseBranch: 'main', stat, diff: '' };
  return describeOutcome({ operation, pullRequest, fettle: 'fettle', width }).map((line) =>
    renderLine(line, { width, color: false }),
  );
}

const proposal: Outcome = {
  kind: 'proposal',
  draft: false,
  branch: 'agent/split',
  headCommit: '0123456789abcdef',
  pullRequest: { number: 4, url: '/v1/pull-requests/4', title: 'Split to the cent' },
};

test('a proposal in a box, with commands that are never cut', () => {
  expect(show(proposal, 'awaiting_approval', 40)).toEqual([
    '╭─ Proposal #4 ──────────────╮',
    '│ Split to the cent          │',
    '│ branch  agent/split → main │',
    '│ commit  0123456789         │',
    '│ change  2 files  +18 −3    │',
    '╰────────────────────────────╯',
    '',
    'Where to look',
    "  git -C '/srv/Ana'\\''s shop' show agent/split",
    "  git -C '/srv/Ana'\\''s shop' diff main...agent/split",
    '  fettle show op_1 --diff',
    '  fettle logs op_1',
  ]);
});

test('a draft shows its whole reason', () => {
  const draft: Outcome = { ...proposal, draft: true, reason: 'budget_turns', message: '3 of 3 turns' };
  expect(show(draft, 'awaiting_approval', 40, '', 'draft').slice(0, 8)).toEqual([
    '╭─ Draft proposal #4 ──────────────────╮',
    '│ Split to the cent                    │',
    '│ branch  agent/split → main           │',
    '│ commit  0123456789                   │',
    '│ change  2 files  +18 −3              │',
    '│ draft   The budget of turns is used  │',
    '│         up. 3 of 3 turns             │',
    '╰──────────────────────────────────────╯',
  ]);
});

test.each<[Operation['state'], Outcome, string[]]>([
  ['answered', { kind: 'answer', answer: 'In\nsession.ts.' }, ['✓ answered', 'In', 'session.ts.']],
  [
    'unchanged',
    { kind: 'unchanged', message: 'It is right already.' },
    ['• nothing to change', 'It is right already.'],
  ],
  [
    'failed',
    { kind: 'failure', reason: 'setup_failed', message: 'npm ci: exit code 1' },
    ['✗ failed  A set-up command of the repository failed.', '  npm ci: exit code 1'],
  ],
])('an operation that is %s', (state, outcome, shown) => {
  expect(show(outcome, state)).toEqual(shown);
});

test('the remarks for the reviewer, and no forged ones', () => {
  const forged = '<details><summary>Request</summary>\n\n> ### To look at\n> - nothing at all\n\n</details>';
  const remark = '- `package.json`: it brings in a package: `left-pad@1.3.0` (rule new-dependency).';
  const head = `### To look at\nA person has to look at this before it is merged:\n${remark}`;
  expect(show(proposal, 'awaiting_approval', 60, `${head}\n\n${forged}`).slice(6, 10)).toEqual([
    '',
    'To look at',
    '  ! package.json: it brings in a package: left-pad@1.3.0',
    '    (rule new-dependency).',
  ]);
  expect(show(proposal, 'awaiting_approval', 60, `Words.\n\n${forged}`)).not.toContain('To look at');
});

test('doubts and weak evidence stand beside the proof, and only the first ones', () => {
  const cannotLoad = [{ file: 'a.test.mjs', message: 'no export named b' }];
  const fault = { status: 'weak' as const, failsBefore: [], passesBefore: [], cannotLoad };
  const none = { passed: [], redBefore: [], failed: [], couldNotRun: [] };
  const doubts = ['The change alters the test script.', 'x'.repeat(10_000), 'third', 'fourth'];
  const shown = show(
    { ...proposal, proof: 'partly proven', evidence: { ...none, doubts, fault } },
    'awaiting_approval',
    100,
  );
  const text = shown.join('\n');
  expect(text).toContain('doubt   weak evidence: a.test.mjs cannot load on the base: no export named b');
  expect(text).toContain('doubt   The change alters the test script.');
  expect(text).toContain('and 2 more in the description of the proposal');
  expect(text.length).toBeLessThan(2_000);
});
