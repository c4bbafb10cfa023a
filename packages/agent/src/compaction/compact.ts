/** Makes room in the model's window. What was left out, and what took its place, is on record before the next call. */
import type { Agent, EventBody, Usage } from '@fettle/contract';
import type { Conversation } from '../loop/conversation.ts';
import { noteRetry } from '../loop/note-retry.ts';
import {
  type Message,
  type Model,
  type ModelAnswer,
  ModelFailure,
  type ToolDescription,
} from '../model/model.ts';
import { type Gauge, sizeOf, sizeOfAll } from './gauge.ts';
import { chooseKept, leftOut, replaceBySummary, shedResults } from './shorten.ts';
import { plainSummary, summaryRequest, writtenSummary } from './summary.ts';

export interface Window {
  /** What the model can take in at once. */
  tokens: number;
  /** The share of it at which room is made. */
  compactAt: number;
  /** How much of the newest stays as it is. */
  keepTokens: number;
}

export interface CompactOptions {
  model: Model;
  system: string;
  tools: ToolDescription[];
  conversation: Conversation;
  window: Window;
  gauge: Gauge;
  /** How long an answer to so much may be that the budgets have room for; 0 where they have none. */
  affordable(characters: number, maxOutputTokens: number): number;
  pay(usage: Usage): void;
  /** Aborted when the budget of time is used up. */
  deadline(): AbortSignal;
  record(...events: EventBody[]): Promise<void>;
  by?: Agent;
  signal: AbortSignal;
}

/** How full it may be afterwards, so that there is room for a while: each time costs the cache. */
const enough = 0.6;
/** Of what may be filled. Where more of it stayed, the next turn would fill it again, and each would cost a summary. */
const mostKept = 0.5;
const summaryTokens = 4_000;

export type Why = 'share' | 'overflow';

/** Gives false where there is nothing that could be left out. */
export async function compact(turn: number, why: Why, options: CompactOptions): Promise<boolean> {
  const { conversation, window, gauge } = options;
  const { messages } = conversation;
  const allowed = window.tokens * window.compactAt;
  const kept = Math.min(window.keepTokens, mostKept * allowed);
  const keepTokens = why === 'overflow' ? kept / 4 : kept;
  const keptFrom = chooseKept(messages, (message) => gauge.estimate(sizeOf(message)), keepTokens);
  if (keptFrom === undefined) return false;
  const before = sizeOfAll(messages);
  const shed = shedResults(messages, keptFrom);
  const isShorter = sizeOfAll(shed) < before;
  const isEnough = gauge.estimate(sizeOfAll(shed)) <= enough * allowed;
  const summarisable = messages.some((each) => each.role === 'assistant' && each.turn < keptFrom);
  if (isShorter && (isEnough || !summarisable)) {
    await settle(options, { turn, keptFrom, way: 'results', before, after: shed });
    return true;
  }
  if (!summarisable) return false;
  // What did not fit cannot be sent to be summarised either.
  const plain = plainSummary(leftOut(messages, keptFrom));
  const whole = why === 'overflow' ? shed : messages;
  const summary = await summarise({ turn, messages: whole, plain }, options);
  const after = replaceBySummary(messages, keptFrom, summary.summary);
  await settle(options, { turn, keptFrom, way: 'summary', before, after, ...summary });
  return true;
}

interface Settled {
  turn: number;
  keptFrom: number;
  way: 'results' | 'summary';
  before: number;
  after: Message[];
  summary?: string;
  usage?: Usage;
}

async function settle(
  { conversation, gauge, record, by: agent }: CompactOptions,
  { before, after, ...settled }: Settled,
): Promise<void> {
  const by = agent && { by: agent };
  const tokens = { tokensBefore: gauge.estimate(before), tokensAfter: gauge.estimate(sizeOfAll(after)) };
  // The turn that it happens before is not finished, and counts when it is.
  const totals = { ...conversation.totals, turns: settled.turn - 1 };
  await record({ type: 'conversation.compacted', ...settled, ...by, ...tokens, totals });
  conversation.messages = after;
}

interface Summing {
  turn: number;
  messages: Message[];
  /** What stands for them where the model cannot be asked. */
  plain: string;
}

async function summarise(
  { turn, messages, plain }: Summing,
  options: CompactOptions,
): Promise<{ summary: string; usage?: Usage }> {
  const answer = await askForSummary(turn, messages, options);
  if (answer === undefined) return { summary: plain };
  options.pay(answer.usage);
  const said = answer.blocks
    .flatMap((block) => (block.kind === 'text' ? [block.text] : []))
    .join('\n\n')
    .trim();
  // Words of refusal say nothing of the work, and would stand for all of it.
  const isUseless = said === '' || answer.stopReason === 'refusal';
  return { summary: isUseless ? plain : writtenSummary(said), usage: answer.usage };
}

async function askForSummary(
  turn: number,
  messages: Message[],
  options: CompactOptions,
): Promise<ModelAnswer | undefined> {
  const { model, system, tools, record, pay, signal } = options;
  const asking: Message[] = withRequest(messages);
  const maxOutputTokens = options.affordable(sizeOfAll(asking), summaryTokens);
  if (maxOutputTokens === 0) return undefined;
  const deadline = options.deadline();
  try {
    return await model.answer(
      { system, tools, messages: asking, maxOutputTokens },
      {
        signal: AbortSignal.any([signal, deadline]),
        onRetry: (retry) => record(noteRetry(retry, options, { turn, pay })),
        roomLeft() {
          const left = options.affordable(sizeOfAll(asking), summaryTokens);
          if (left > 0) return left;
          throw new ModelFailure('model_unreachable', 'what was lost leaves no room for a summary');
        },
      },
    );
  } catch (error) {
    if (error instanceof ModelFailure) pay(error.lost);
    else if (signal.aborted || !deadline.aborted) throw error;
    return undefined;
  }
}

function withRequest(messages: Message[]): Message[] {
  const request = { kind: 'text' as const, text: summaryRequest };
  const last = messages.at(-1);
  if (last?.role !== 'user') return [...messages, { role: 'user', items: [request] }];
  return [...messages.slice(0, -1), { ...last, items: [...last.items, request] }];
}
