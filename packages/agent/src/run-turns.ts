/** The loop: ask the model, put its answer on record, carry out its calls, until it is done or has to stop. */
import type { Agent, Budgets, EventBody, ReasonCode, Usage } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import { ask } from './ask.ts';
import { type CostOf, findWarning, reserve, type Spent, tokensOf } from './budget.ts';
import type { CallSurroundings } from './call-tool.ts';
import { compact, type Window } from './compaction/compact.ts';
import { createGauge, sizeOfAll } from './compaction/gauge.ts';
import { type Conversation, tell } from './conversation.ts';
import { endAfter, isCut, sayAfter } from './end-after.ts';
import type { Hooks, JudgedCall, Objection } from './hooks.ts';
import type { LoopWatch } from './loops/loop-watch.ts';
import { noteTurn } from './loops/note-turn.ts';
import type { LoopVerdict } from './loops/noted-turn.ts';
import type { Model } from './model/model.ts';
import { type FinishedCall, runCalls, toResults } from './run-calls.ts';
import { takeAnswer } from './take-answer.ts';

export interface TurnOptions extends CallSurroundings {
  model: Model;
  system: string;
  conversation: Conversation;
  budgets: Budgets;
  costOf: CostOf;
  window: Window;
  /** The longest answer. */
  maxOutputTokens: number;
  /** How often the agent has been set to work, this time included. */
  round: number;
  /** Whose turns these are, where not the agent's that does the work. */
  by?: Agent;
  /** Notices when the agent goes round in circles. */
  loops?: LoopWatch;
  /** Whether what was just called ends the round. */
  isDone?(call: FinishedCall): boolean;
  /** Seconds this operation has been worked on, over all attempts. */
  secondsSpent(): number;
  /** Resolves when the events are on record: all of them, in their order, or none. */
  record(...events: EventBody[]): Promise<void>;
  /** Whether to stop at the next good moment, where nothing is lost that was paid for. */
  shouldYield(): boolean;
  signal: AbortSignal;
}

export type Stopped = { kind: 'stopped'; reason: ReasonCode; message: string };
export type TurnsEnd = { kind: 'done'; text: string } | Stopped | { kind: 'yielded' };

/** How a round begins: with something to say, or where an earlier attempt left off. */
export interface TurnsStart {
  /** What Fettle says before the first turn: the request, what the checks found, or nothing new. */
  told?: string | undefined;
  /** How many answers in a row were cut off just before. */
  cutAnswers?: number;
  /** What the last turn on record led to, if nothing was said of it yet. */
  verdict?: LoopVerdict | undefined;
}

export async function runTurns(start: TurnsStart, options: TurnOptions): Promise<TurnsEnd> {
  const { conversation, record, round, window } = options;
  const by = options.by && { by: options.by };
  const { totals } = conversation;
  const gauge = createGauge();
  const around = sizeOfPrompt(options);
  const surroundings = { ...options, hooks: withhold(options) };
  const spent = (): Spent => ({ ...totals, seconds: options.secondsSpent() });
  const inputTokens = () => gauge.estimate(around + sizeOfAll(conversation.messages));
  let saying = start.told;
  let cutAnswers = start.cutAnswers ?? 0;
  let verdict = start.verdict;
  let isFull = false;
  let busySince: number | undefined;

  function pay(usage: Usage): void {
    totals.tokens += tokensOf(usage);
    totals.usd += options.costOf(usage) ?? 0;
  }

  function makeRoom(turn: number, why: 'share' | 'overflow'): Promise<boolean> {
    return compact(turn, why, { ...options, gauge, pay, affordable });
  }

  function affordable(input: number, maxOutputTokens: number): number {
    const room = reserve(options.budgets, spent(), { inputTokens: input, maxOutputTokens }, options.costOf);
    return room.ok ? room.maxOutputTokens : 0;
  }

  for (;;) {
    if (verdict?.step === 'end') return { kind: 'stopped', reason: verdict.reason, message: verdict.message };
    if (isFull && !(await makeRoom(totals.turns + 1, 'overflow'))) return full;
    if (inputTokens() > window.tokens * window.compactAt) await makeRoom(totals.turns + 1, 'share');
    const next = { inputTokens: inputTokens(), maxOutputTokens: options.maxOutputTokens };
    const room = reserve(options.budgets, spent(), next, options.costOf);
    if (!room.ok) return { kind: 'stopped', reason: room.reason, message: room.message };
    if (options.shouldYield()) return { kind: 'yielded' };

    const turn = ++totals.turns;
    const warning = findWarning(options.budgets, spent(), conversation.warned);
    if (warning) conversation.warned = warning.level;
    const told = [saying, verdict?.message, warning?.text].filter((text) => text !== undefined).join('\n\n');
    if (told !== '') tell(conversation, [{ kind: 'text', text: told }]);
    const askedAt = performance.now();
    const [answer] = await Promise.all([
      ask(options, {
        turn,
        maxOutputTokens: room.maxOutputTokens,
        makeRoom: () => makeRoom(turn, 'overflow'),
      }),
      record({
        ...{ type: 'turn.started', turn, ...by, round },
        ...(told !== '' && { told }),
        ...(warning && warning.level !== 0 && { warned: warning.level }),
      }),
    ]);
    if ('kind' in answer) {
      const { reason, message } = answer;
      await record({ type: 'turn.failed', turn, ...by, reason, message });
      return answer;
    }
    crashPoint('answered', turn);
    const answeredAt = performance.now();

    // Every part of the answer is on record before any of its calls is carried out.
    const { model, stopReason, usage } = answer;
    gauge.learn(around + sizeOfAll(conversation.messages), tokensOf({ ...usage, outputTokens: 0 }));
    pay(usage);
    const { calls, events } = takeAnswer(conversation, answer, { turn, by: options.by });
    const harnessMs = busySince === undefined ? {} : { harnessMs: Math.max(0, askedAt - busySince) };
    const timing = { durationMs: answeredAt - askedAt, ...harnessMs };
    const paid = { model, stopReason, usage, totals: { ...totals } };
    await record(...events, { type: 'turn.finished', turn, ...by, ...paid, ...timing });
    crashPoint('answer-recorded', turn);

    const note = (finished: FinishedCall[]) =>
      options.loops?.noteTurn(noteTurn(turn, answer.blocks, finished, options.tools));
    cutAnswers = isCut(stopReason) ? cutAnswers + 1 : 0;
    isFull = stopReason === 'overflow';
    const end = endAfter({ ...answer, cutAnswers });
    if (end) {
      note([]);
      return end;
    }
    saying = sayAfter(answer);
    const { finished, programMs, stop } = await runCalls(calls, surroundings);
    if (finished.length > 0) tell(conversation, toResults(finished));
    verdict = note(finished);
    if (stop) return { kind: 'stopped', reason: stop.reason, message: stop.message };
    if (finished.some((call) => options.isDone?.(call))) return { kind: 'done', text: '' };
    busySince = answeredAt + programMs;
  }
}

/** A tool that the agent went round in circles with is refused for some turns; the list of tools stays, and with it the cache. */
function withhold({ hooks, loops, conversation }: TurnOptions): Hooks {
  const refuse = ({ tool }: JudgedCall): Objection | undefined =>
    loops?.withheld(conversation.totals.turns).has(tool.name)
      ? {
          kind: 'block',
          reason: `${tool.name} is withheld for some turns, since its calls repeated themselves.`,
        }
      : undefined;
  return { ...hooks, afterPolicy: [...hooks.afterPolicy, refuse] };
}

const full: Stopped = {
  kind: 'stopped',
  reason: 'context_overflow',
  message: 'the conversation fills all that the model can read, and nothing of it can be left out',
};

/** What goes along with every request. */
function sizeOfPrompt({ system, tools }: TurnOptions): number {
  return (
    system.length +
    JSON.stringify(tools.map(({ name, description, inputSchema }) => [name, description, inputSchema])).length
  );
}
