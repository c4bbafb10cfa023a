/** Assembles a streamed chat completion within limits, because the stream may be endless or broken. */
import type { Usage } from '@fettle/contract';
import {
  answerLimits,
  type Charge,
  estimateTokens,
  type GivenCall,
  giveIds,
  toCall,
  toCount,
  toText,
} from '../answer-limits.ts';
import { StatusError } from '../http/classify-failure.ts';
import { serviceErrorSchema } from '../http/post-for-events.ts';
import type { Block, ModelAnswer, StopReason } from '../model.ts';
import { type CallPiece, type ChatUsage, chunkSchema, type Delta } from './chat-chunk.ts';

const stopReasons: Record<string, StopReason> = {
  tool_calls: 'tool',
  function_call: 'tool',
  length: 'cut',
  content_filter: 'refusal',
};

interface Growing {
  texts: { content: string; refusal: string; reasoning_content: string; reasoning: string };
  calls: (GivenCall & { index: number })[];
  bytes: number;
}

export async function collectChat(
  events: AsyncIterable<string>,
  { promptCharacters, lose }: Charge,
): Promise<ModelAnswer> {
  const growing: Growing = {
    texts: { content: '', refusal: '', reasoning_content: '', reasoning: '' },
    calls: [],
    bytes: 0,
  };
  let model = '';
  let stopReason: StopReason | undefined;
  let reported: ChatUsage | undefined;
  let isBegun = false;
  const cost = () =>
    toUsage(reported, { promptCharacters: promptCharacters(), answerCharacters: growing.bytes });

  try {
    for await (const event of events) {
      if (event === '[DONE]') break;
      const { model: name, choices, usage, error } = chunkSchema.parse(JSON.parse(event));
      if (error !== undefined && error !== null) throw toError(error);
      isBegun = true;
      model ||= (name ?? '').slice(0, 200);
      reported = usage ?? reported;
      const choice = choices?.find(({ index }) => (index ?? 0) === 0);
      if (choice?.delta) grow(growing, choice.delta);
      const given = choice?.finish_reason;
      if (given) stopReason = (Object.hasOwn(stopReasons, given) && stopReasons[given]) || 'end';
      if (growing.bytes > answerLimits.answerBytes) {
        stopReason = 'cut';
        break;
      }
    }
    if (!stopReason) throw new Error('the stream ended in the middle of an answer');
  } catch (error) {
    if (isBegun) lose(cost());
    throw error;
  }
  const refused = growing.texts.refusal.trim() !== '';
  return {
    model,
    blocks: giveIds(toBlocks(growing)),
    stopReason: refused ? 'refusal' : stopReason,
    usage: cost(),
  };
}

function grow(growing: Growing, { tool_calls, ...texts }: Delta): void {
  for (const field of ['content', 'refusal', 'reasoning_content', 'reasoning'] as const) {
    const piece = texts[field] ?? '';
    growing.texts[field] += piece;
    growing.bytes += piece.length;
  }
  for (const piece of tool_calls ?? []) growCall(growing, piece);
}

function growCall(growing: Growing, { index, id, function: named }: CallPiece): void {
  const { calls } = growing;
  const place = findPlace(calls, index, id);
  if (place === calls.length && place < answerLimits.blocks)
    calls.push({ index: index ?? place, callId: id ?? '', tool: '', json: '' });
  const call = calls[place];
  if (!call) throw new Error(`the answer's call ${place} is out of order`);
  if (call.tool === '') call.tool = (named?.name ?? '').slice(0, 200);
  const piece = named?.arguments ?? '';
  call.json += piece;
  growing.bytes += piece.length + (named?.name ?? '').length;
}

/** Some servers use one index for all calls. Then a different id means another call. */
function findPlace(calls: Growing['calls'], index: CallPiece['index'], id: CallPiece['id']): number {
  if (index === null || index === undefined) return id ? calls.length : calls.length - 1;
  const place = calls.findLastIndex((call) => call.index === index);
  const known = calls[place]?.callId;
  return place === -1 ? index : known && id && id !== known ? calls.length : place;
}

/** The format has one field for each kind, so the order is ours. */
function toBlocks({ texts, calls }: Growing): Block[] {
  const { content, refusal, reasoning_content, reasoning } = texts;
  const block = reasoning_content !== '' ? { reasoning_content } : { reasoning };
  const thought = reasoning_content || reasoning;
  return [
    ...(thought === '' ? [] : [{ kind: 'reasoning' as const, text: thought, block }]),
    ...toText(content),
    ...toText(refusal),
    ...calls.map((call) => toCall({ ...call, tool: call.tool || 'unnamed' })),
  ];
}

/** The service includes cached tokens in the prompt tokens; we count them separately. */
function toUsage(
  reported: ChatUsage | undefined,
  { promptCharacters, answerCharacters }: { promptCharacters: number; answerCharacters: number },
): Usage {
  const promptTokens = toCount(reported?.prompt_tokens) || estimateTokens(promptCharacters);
  const cacheReadTokens = Math.min(toCount(reported?.prompt_tokens_details?.cached_tokens), promptTokens);
  return {
    inputTokens: promptTokens - cacheReadTokens,
    outputTokens: toCount(reported?.completion_tokens) || estimateTokens(answerCharacters),
    cacheReadTokens,
    cacheWriteTokens: 0,
  };
}

function toError(given: unknown): Error {
  const { data } = serviceErrorSchema.safeParse(given);
  if (!data) return new Error('the stream ended with an error');
  const { message, code } = data;
  if (code === 'context_length_exceeded') return new StatusError(message, { status: 400, code });
  const isStatus = typeof code === 'number' && code >= 400 && code < 600;
  return isStatus ? new StatusError(message, { status: code }) : new Error(message);
}
