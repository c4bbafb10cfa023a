/** Assembles a streamed answer within limits, because the stream may be endless, broken or not JSON. */
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

/** The fields of a block that we use. */
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
  /** The original object: a redacted block must be sent back with the same order of fields. */
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
  /** Estimated where the service does not report the usage, so that budgets still count it. */
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
        // Without a stop reason more events follow.
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

/** Services report the usage at the start or at the end. The last value counts. */
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
      // Some services send the whole input at the start, others send an empty one and then deltas.
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
