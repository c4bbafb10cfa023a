/** Puts a streamed answer together, within bounds: what comes from outside may be endless, broken or not JSON. */
import type { MessageDeltaUsage, MessageStreamEvent } from '@anthropic-ai/sdk/resources/messages/messages';
import type { Usage } from '@fettle/contract';
import { z } from 'zod';
import {
  answerLimits,
  type Charge,
  estimateTokens,
  giveIds,
  toCall,
  toCount,
  toText,
} from '../answer-limits.ts';
import { type Block, type ModelAnswer, noUsage, type StopReason } from '../model.ts';

/** What we use of a block; a redacted one has to go back as it came. */
const startSchema = z.looseObject({
  type: z.string(),
  id: z.string().max(200).optional(),
  name: z
    .string()
    .transform((name) => name.slice(0, 200))
    .optional(),
  text: z.string().optional(),
  thinking: z.string().optional(),
  signature: z.string().optional(),
});

interface Growing {
  start: z.infer<typeof startSchema>;
  /** As it came, to the order of its fields. */
  raw: unknown;
  text: string;
  signature: string;
}

export async function collectAnswer(
  stream: AsyncIterable<MessageStreamEvent>,
  { promptCharacters, lose }: Charge,
): Promise<ModelAnswer> {
  const growing: Growing[] = [];
  const counted = { ...noUsage };
  let model = '';
  let stopReason: StopReason | undefined;
  let bytes = 0;
  let isBegun = false;
  let isCounted = false;
  /** Where the service never said what this cost, budgets are kept all the same. */
  const cost = (): Usage => ({
    ...counted,
    ...(!isCounted && { outputTokens: Math.max(counted.outputTokens, estimateTokens(bytes)) }),
    ...(counted.inputTokens + counted.cacheReadTokens + counted.cacheWriteTokens === 0 && {
      inputTokens: estimateTokens(promptCharacters()),
    }),
  });

  try {
    for await (const event of stream) {
      isBegun = true;
      if (event.type === 'message_start') {
        model = String(event.message.model).slice(0, 200);
        count(counted, event.message.usage);
      } else if (event.type === 'content_block_start') {
        if (event.index !== growing.length || growing.length >= answerLimits.blocks) {
          throw new Error(`the answer's block ${event.index} is out of order`);
        }
        const raw = event.content_block;
        growing.push({ start: startSchema.parse(raw), raw, text: '', signature: '' });
        bytes += JSON.stringify(event.content_block).length;
      } else if (event.type === 'content_block_delta') {
        bytes += grow(growing[event.index], event.delta);
      } else if (event.type === 'message_delta') {
        // Without a reason it is only a sign of life, and more may come.
        if (event.delta.stop_reason) stopReason = toStopReason(event.delta.stop_reason);
        count(counted, event.usage);
        isCounted = toCount(event.usage?.output_tokens) > 0;
      } else if (event.type === 'message_stop') {
        stopReason ??= 'end';
        break;
      }
      if (bytes > answerLimits.answerBytes) {
        stopReason = 'cut';
        isCounted = false;
        break;
      }
    }
    if (!stopReason) throw new Error('the stream ended in the middle of an answer');
  } catch (error) {
    if (isBegun) lose(cost());
    throw error;
  }
  return { model, blocks: giveIds(growing.flatMap(toBlock)), stopReason, usage: cost() };
}

/** Some say all of it at the start, others at the end; what is said last counts. */
function count(usage: Usage, given: Partial<MessageDeltaUsage> | undefined): void {
  usage.inputTokens = toCount(given?.input_tokens) || usage.inputTokens;
  usage.outputTokens = toCount(given?.output_tokens) || usage.outputTokens;
  usage.cacheReadTokens = toCount(given?.cache_read_input_tokens) || usage.cacheReadTokens;
  usage.cacheWriteTokens = toCount(given?.cache_creation_input_tokens) || usage.cacheWriteTokens;
}

type Delta = Extract<MessageStreamEvent, { type: 'content_block_delta' }>['delta'];

function grow(block: Growing | undefined, delta: Delta): number {
  if (!block) return 0;
  if (delta.type === 'signature_delta') {
    block.signature += String(delta.signature);
    return block.signature.length;
  }
  const piece =
    delta.type === 'text_delta'
      ? delta.text
      : delta.type === 'input_json_delta'
        ? delta.partial_json
        : delta.type === 'thinking_delta'
          ? delta.thinking
          : '';
  if (typeof piece !== 'string') return 0;
  block.text += piece;
  return piece.length;
}

const stopReasons: Record<string, StopReason> = {
  tool_use: 'tool',
  max_tokens: 'cut',
  pause_turn: 'pause',
  refusal: 'refusal',
  model_context_window_exceeded: 'overflow',
};

function toStopReason(given: string | null): StopReason {
  return (Object.hasOwn(stopReasons, String(given)) && stopReasons[String(given)]) || 'end';
}

function toBlock({ start, raw, text, signature: signed }: Growing): Block[] {
  switch (start.type) {
    case 'text':
      return toText((start.text ?? '') + text);
    case 'thinking': {
      const thinking = (start.thinking ?? '') + text;
      const signature = (start.signature ?? '') + signed;
      const block = signature === '' ? null : { type: 'thinking', thinking, signature };
      return [{ kind: 'reasoning', text: thinking, block }];
    }
    case 'redacted_thinking':
      return [{ kind: 'reasoning', text: '', block: raw }];
    case 'tool_use':
      // Some services give all of the input at once, where others begin with an empty one.
      return [
        toCall({
          callId: start.id ?? '',
          tool: start.name ?? '',
          json: text || JSON.stringify(start.input ?? {}),
        }),
      ];
    default:
      return [];
  }
}
