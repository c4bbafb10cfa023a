/** The agent works, the repository's checks judge, and what they find goes back to the agent, a bounded number of times. */
import {
  createPace,
  defaultToolLimits,
  requestPrompt,
  runTurns,
  startConversation,
  systemPrompt,
  type TurnsEnd,
  toolsFor,
} from '@fettle/agent';
import { type CheckResult, type Outcome, type ReasonCode, tightestBudgets } from '@fettle/contract';
import { runChecks } from './run-checks.ts';
import type { Work } from './work.ts';
import type { Workspace } from './workspace.ts';

export interface Change {
  kind: 'change';
  /** The agent's own words on what it did. */
  summary: string;
  checks: CheckResult[];
  /** Set when the change is not what was asked for: it is proposed as a draft. */
  shortfall?: { reason: ReasonCode; message: string };
}
export type Acted = Change | { kind: 'ended'; outcome: Outcome };

const maxVerifications = 5;

export async function actUntilProven(work: Work, workspace: Workspace): Promise<Acted> {
  const { request } = work.claim.operation;
  const act = createActor(work, workspace);
  await work.moveTo('acting');
  let told = requestPrompt(request, {
    baseBranch: workspace.baseBranch,
    commands: workspace.config.commands,
  });

  for (let round = 1; ; round++) {
    const end = await act(told);
    if (request.kind === 'ask') return { kind: 'ended', outcome: answerOutcome(end) };
    const { problem } = await workspace.saveChanges();
    const lastRound = end.kind === 'stopped' || round === maxVerifications;
    if (problem && lastRound) return ended('too_many_changes', problem);
    if (problem) {
      told = problem;
      continue;
    }
    if (workspace.head() === workspace.baseCommit) return { kind: 'ended', outcome: nothingChanged(end) };

    await work.moveTo('verifying');
    const { sandbox, config } = workspace;
    const checks = await runChecks(work, { sandbox, commands: config.commands, phase: 'verify', round });
    await workspace.saveChanges();
    const failed = checks.filter(({ ok }) => !ok);
    const summary = end.kind === 'done' ? end.text : '';
    if (end.kind === 'stopped') {
      const { reason, message } = end;
      return { kind: 'change', summary, checks, shortfall: { reason, message } };
    }
    if (failed.length === 0) return { kind: 'change', summary, checks };
    const names = failed.map(({ name }) => name).join(', ');
    if (lastRound) {
      const message = `${names} still failed after ${round} rounds`;
      return { kind: 'change', summary, checks, shortfall: { reason: 'verification_failed', message } };
    }
    await work.moveTo('acting', `${names} failed`);
    told = describeFailures(failed);
  }
}

/** Binds everything that stays the same over all rounds of one attempt. */
function createActor(work: Work, workspace: Workspace) {
  const { claim, config, model, record, secondsSpent, signal } = work;
  const { sandbox, history, judgePath, saveChanges } = workspace;
  const { request } = claim.operation;
  const conversation = { ...startConversation(), totals: work.totals };
  const context = {
    sandbox,
    history,
    commands: workspace.config.commands,
    limits: { ...defaultToolLimits, ...config.toolLimits },
    signal,
    pace: createPace(config.filePace, signal),
  };
  const budgets = tightestBudgets(claim.budgets, workspace.config.budgets, request.budgets);
  const system = systemPrompt(request.kind);
  const tools = toolsFor(request.kind);
  return (told: string) =>
    runTurns(told, {
      model,
      system,
      tools,
      context,
      conversation,
      budgets,
      judgePath,
      saveChanges,
      secondsSpent,
      record,
      signal,
    });
}

function answerOutcome(end: TurnsEnd): Outcome {
  if (end.kind === 'done') return { kind: 'answer', answer: end.text };
  return { kind: 'failure', reason: end.reason, message: end.message };
}

function nothingChanged(end: TurnsEnd): Outcome {
  if (end.kind === 'done') return { kind: 'unchanged', message: end.text };
  return { kind: 'failure', reason: end.reason, message: end.message };
}

function ended(reason: ReasonCode, message: string): Acted {
  return { kind: 'ended', outcome: { kind: 'failure', reason, message } };
}

function describeFailures(failed: CheckResult[]): string {
  const reports = failed.map(({ name, command, exitCode, timedOut, output }) => {
    const how = timedOut ? 'ran into its time limit' : `ended with exit code ${exitCode}`;
    return `${name} (${command}) ${how}. The end of its output:\n<output>\n${output}\n</output>`;
  });
  return `The change is not ready: these checks of the repository fail.\n\n${reports.join('\n\n')}\n\nMend the cause and finish again.`;
}
