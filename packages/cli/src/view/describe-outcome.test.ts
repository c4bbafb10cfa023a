import type { Operation, Outcome } from '@fettle/contract';
import { expect, test } from 'vitest';
import { describeOutcome } from './describe-outcome.ts';
import { renderLine } from './line.ts';

function show(outcome: Outcome, state: Operation['state'], width = 60, body = ''): string[] {
  const operation: Operation = {
    id: 'op_1',
    state,
    kind: 'fix',
    priority: 'medium',
    request: {
      kind: 'fix',
      description: 'x',
      repository: "/srv/Ana's shop",
      targetFiles: [],
      priority: 'medium',
      approvalRequired: true,
    },
    repository: 'shop',
    requestedBy: 'ana',
    attempts: 1,
    totals: { parts: 1, turns: 1, tokens: 1, usd: 0 },
    outcome,
    createdAt: '2026-11-16T10:00:00.000Z',
    stateSince: '2026-11-16T10:00:05.000Z',
    waitsFor: null,
    settledAt: '2026-11-16T10:00:05.000Z',
  };
  const pullRequest = {
    state: 'open',
    body,
    baseBranch: 'main',
    stat: { files: 2, added: 18, deleted: 3 },
    diff: '',
  };
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

test('a draft shows its reason, cut to the width', () => {
  const draft: Outcome = { ...proposal, draft: true, reason: 'budget_turns', message: '3 of 3 turns' };
  const lines = show(draft, 'awaiting_approval', 40);
  expect(lines.slice(0, 7)).toEqual([
    '╭─ Draft proposal #4 ──────────────────╮',
    '│ Split to the cent                    │',
    '│ branch  agent/split → main           │',
    '│ commit  0123456789                   │',
    '│ change  2 files  +18 −3              │',
    '│ draft   The budget of turns is used… │',
    '╰──────────────────────────────────────╯',
  ]);
});

test('the other outcomes', () => {
  expect(show({ kind: 'answer', answer: 'In\nsession.ts.' }, 'answered')).toEqual([
    '✓ answered',
    'In',
    'session.ts.',
  ]);
  expect(show({ kind: 'unchanged', message: 'It is right already.' }, 'unchanged')).toEqual([
    '• nothing to change',
    'It is right already.',
  ]);
  const failure: Outcome = { kind: 'failure', reason: 'setup_failed', message: 'npm ci: exit code 1' };
  expect(show(failure, 'failed')).toEqual([
    '✗ failed  A set-up command of the repository failed.',
    '  npm ci: exit code 1',
  ]);
});

test('the remarks for the reviewer, and no forged ones', () => {
  const forged = '### Request\n> x\n\n### In the agent’s words\n### To look at\n- nothing at all\n';
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
