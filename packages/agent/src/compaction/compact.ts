/** Makes the conversation fit the context window. The compaction is recorded before the next call. */
import type { Agent, EventBody, Usage } from '@fettle/contract';
import { payRetry } from '../loop/ask.ts';
import type { Conversation } from '../loop/conversation.ts';
import type { ContextWindow } from '../loop/turn-options.ts';
import {
  type Message,
  type Model,
  type ModelAnswer,
  ModelFailure,
  type ToolDescription,
} from '../model/model.ts';
import { chooseKept, leftOut, replaceBySummary, shedResults } from './shorten.ts';
import { plainSummary, summaryRequest, writtenSummary } from './summary.ts';
import { sizeOf, sizeOfAll, type TokenEstimator } from './token-estimator.ts';

export interface CompactOptions {
  model: Model;
  system: string;
  tools: ToolDescription[];
  conversation: Conversation;
  window: ContextWindow;
  estimator: TokenEstimator;
  /** The longest answer to a prompt of this size that the budgets allow; 0 if they allow none. */
  affordable(characters: number, maxOutputTokens: number): number;
  pay(usage: Usage): void;
  /** Aborts when the time budget is used up. */
  deadline(): AbortSignal;
  record(...events: EventBody[]): Promise<void>;
  by?: Agent;
  signal: AbortSignal;
}

/** The share that may be filled afterwards. It leaves space for several turns: each compaction invalidates the prompt cache. */
const targetShare = 0.6;
/** The largest share of newest turns to keep. With more, the next turn would fill the window again and need another summary. */
const maxKeptShare = 0.5;
const summaryTokens = 4_000;

/** `share`: the conversation reached its share of the window. `overflow`: the service rejected it as too long. */
export type CompactionTrigger = 'share' | 'overflow';

/** Returns false if nothing can be left out. */
export async function compact(
  turn: number,
  trigger: CompactionTrigger,
  options: CompactOptions,
): Promise<boolean> {
  const { conversation, window, estimator } = options;
  const { messages } = conversation;
  const allowed = window.tokens * window.compactAt;
  const kept = Math.min(window.keepTokens, maxKeptShare * allowed);
  const keepTokens = trigger === 'overflow' ? kept / 4 : kept;
  const keptFrom = chooseKept(messages, (message) => estimator.estimate(sizeOf(message)), keepTokens);
  if (keptFrom === undefined) return false;
  const before = sizeOfAll(messages);
  const shed = shedResults(messages, keptFrom);
  const isShorter = sizeOfAll(shed) < before;
  const isEnough = estimator.estimate(sizeOfAll(shed)) <= targetShare * allowed;
  const summarisable = messages.some((each) => each.role === 'assistant' && each.turn < keptFrom);
  if (isShorter && (isEnough || !summarisable)) {
    await apply(options, { turn, keptFrom, way: 'results', before, after: shed });
    return true;
  }
  if (!summarisable) return false;
  // A conversation that did not fit cannot be sent for a summary either: send it without old results.
  const fallback = plainSummary(leftOut(messages, keptFrom));
  const whole = trigger === 'overflow' ? shed : messages;
  const summary = await summarise({ turn, messages: whole, fallback }, options);
  const after = replaceBySummary(messages, keptFrom, summary.summary);
  await apply(options, { turn, keptFrom, way: 'summary', before, after, ...summary });
  return true;
}

interface Compaction {
  turn: number;
  keptFrom: number;
  way: 'results' | 'summary';
  before: number;
  after: Message[];
  summary?: string;
  usage?: Usage;
}

async function apply(
  { conversation, estimator, record, by: agent }: CompactOptions,
  { before, after, ...compaction }: Compaction,
): Promise<void> {
  const by = agent && { by: agent };
  const tokens = {
    tokensBefore: estimator.estimate(before),
    tokensAfter: estimator.estimate(sizeOfAll(after)),
  };
  // The coming turn is not finished, so it does not count yet.
  const totals = { ...conversation.totals, turns: compaction.turn - 1 };
  await record({ type: 'conversation.compacted', ...compaction, ...by, ...tokens, totals });
  conversation.messages = after;
}

interface SummaryRequest {
  turn: number;
  messages: Message[];
  /** The summary to use if the model cannot be asked. */
  fallback: string;
}

async function summarise(
  { turn, messages, fallback }: SummaryRequest,
  options: CompactOptions,
): Promise<{ summary: string; usage?: Usage }> {
  const answer = await askForSummary(turn, messages, options);
  if (answer === undefined) return { summary: fallback };
  options.pay(answer.usage);
  const said = answer.blocks
    .flatMap((block) => (block.kind === 'text' ? [block.text] : []))
    .join('\n\n')
    .trim();
  // A refusal says nothing about the work, and would replace the whole conversation.
  const isUseless = said === '' || answer.stopReason === 'refusal';
  return { summary: isUseless ? fallback : writtenSummary(said), usage: answer.usage };
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
        onRetry: (retry) => record(payRetry(retry, options, { turn, pay })),
        roomLeft() {
          const left = options.affordable(sizeOfAll(asking), summaryTokens);
          if (left > 0) return left;
          throw new ModelFailure(
            'model_unreachable',
            'the cost of failed tries leaves no budget for a summary',
          );
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
