/** The loop: ask the model, put its answer on record, carry out its calls, until it is done or has to stop. */
import type { Budgets, EventBody, ReasonCode, StartedToolPart } from '@fettle/contract';
import { z } from 'zod';
import { type CallSurroundings, callTool } from './call-tool.ts';
import { type Conversation, tell } from './conversation.ts';
import { type Block, type Model, type ModelAnswer, ModelFailure, type UserItem } from './model/model.ts';
import { findOverspent } from './spend.ts';

export type Record = (event: EventBody) => Promise<void>;

export interface TurnOptions extends CallSurroundings {
  model: Model;
  system: string;
  conversation: Conversation;
  budgets: Budgets;
  /** Seconds this operation has been worked on, over all attempts. */
  secondsSpent(): number;
  record: Record;
  signal: AbortSignal;
}

export type TurnsEnd =
  | { kind: 'done'; text: string }
  | { kind: 'stopped'; reason: ReasonCode; message: string };

const maxCutAnswers = 3;

/** `told` is what Fettle says before the first turn: the request, or what the checks found. */
export async function runTurns(told: string, options: TurnOptions): Promise<TurnsEnd> {
  const { conversation, record } = options;
  let saying: string | undefined = told;
  let cutAnswers = 0;
  let answeredAt: number | undefined;
  let programMs = 0;

  for (;;) {
    const overspent = findOverspent(options.budgets, {
      ...conversation.totals,
      seconds: options.secondsSpent(),
    });
    if (overspent) return { kind: 'stopped', ...overspent };

    const turn = ++conversation.totals.turns;
    if (saying !== undefined) tell(conversation, [{ kind: 'text', text: saying }]);
    await record({ type: 'turn.started', turn, ...(saying !== undefined && { told: saying }) });
    const askedAt = performance.now();
    const harnessMs = answeredAt === undefined ? undefined : Math.max(0, askedAt - answeredAt - programMs);
    const answer = await ask(options, turn);
    if (answer instanceof ModelFailure)
      return { kind: 'stopped', reason: answer.reason, message: answer.message };
    answeredAt = performance.now();
    saying = undefined;

    const calls = await recordAnswer(answer, turn, options);
    const { model, stopReason, usage } = answer;
    const timing = { durationMs: answeredAt - askedAt, ...(harnessMs !== undefined && { harnessMs }) };
    await record({ type: 'turn.finished', turn, model, stopReason, usage, ...timing });

    if (stopReason === 'refusal')
      return {
        kind: 'stopped',
        reason: 'model_refused',
        message: lastText(answer.blocks) || 'no reason given',
      };
    cutAnswers = stopReason === 'cut' ? cutAnswers + 1 : 0;
    if (cutAnswers >= maxCutAnswers) {
      return {
        kind: 'stopped',
        reason: 'model_cut_short',
        message: `${cutAnswers} answers in a row reached the limit of one answer`,
      };
    }
    programMs = 0;
    if (calls.length > 0) programMs = await runCalls(calls, options);
    else if (stopReason === 'cut')
      saying = 'Your answer was cut off at the limit of one answer. Go on from there, in smaller pieces.';
    else return { kind: 'done', text: lastText(answer.blocks) };
  }
}

async function ask({ model, system, tools, conversation, record, signal }: TurnOptions, turn: number) {
  try {
    return await model.answer(
      {
        system,
        tools: tools.map(({ name, description, input }) => ({
          name,
          description,
          inputSchema: z.toJSONSchema(input, { io: 'input' }),
        })),
        messages: conversation.messages,
      },
      { signal, onRetry: (retry) => record({ type: 'turn.retried', turn, ...retry }) },
    );
  } catch (error) {
    if (error instanceof ModelFailure) return error;
    throw error;
  }
}

interface PendingCall {
  part: StartedToolPart;
  fault: string | undefined;
}

/** Numbers the parts of an answer and puts all of them on record before any of its calls is carried out. */
async function recordAnswer(
  answer: ModelAnswer,
  turn: number,
  { conversation, record }: TurnOptions,
): Promise<PendingCall[]> {
  const { totals, messages } = conversation;
  const { usage, blocks } = answer;
  totals.tokens += usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const calls: PendingCall[] = [];
  for (const block of blocks) {
    const place = { number: ++totals.parts, turn };
    if (block.kind === 'tool') {
      const { callId, tool, input, fault } = block;
      const part: StartedToolPart = { ...place, kind: 'tool', callId, tool, input };
      calls.push({ part, fault });
      await record({ type: 'part.started', part });
    } else {
      await record({ type: 'part.finished', part: { ...place, ...block } });
    }
  }
  // A message without content is refused by the model's service, so that an empty answer has to say that it is one.
  messages.push({
    role: 'assistant',
    blocks: blocks.length > 0 ? blocks : [{ kind: 'text', text: '(empty answer)' }],
  });
  return calls;
}

async function runCalls(calls: PendingCall[], options: TurnOptions): Promise<number> {
  const results: UserItem[] = [];
  let programMs = 0;
  for (const { part, fault } of calls) {
    const result = await callTool({ tool: part.tool, input: part.input, fault }, options);
    await options.record({ type: 'part.finished', part: { ...part, ...result } });
    results.push({
      kind: 'result',
      callId: part.callId,
      output: result.output,
      isError: result.status !== 'ok',
    });
    programMs += result.programMs;
  }
  tell(options.conversation, results);
  return programMs;
}

function lastText(blocks: Block[]): string {
  return blocks
    .flatMap((block) => (block.kind === 'text' ? [block.text] : []))
    .join('\n\n')
    .trim();
}
