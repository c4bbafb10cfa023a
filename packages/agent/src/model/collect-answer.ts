/** Puts a streamed answer together, within bounds: what comes from outside may be endless, broken or not JSON. */
import type { MessageStreamEvent } from '@anthropic-ai/sdk/resources/messages/messages';
import { z } from 'zod';
import { answerLimits, toCall, toCount, toText } from './bounded-answer.ts';
import type { Block, ModelAnswer, StopReason } from './model.ts';

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

export async function collectAnswer(stream: AsyncIterable<MessageStreamEvent>): Promise<ModelAnswer> {
  const growing: Growing[] = [];
  const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  let model = '';
  let stopReason: StopReason | undefined;
  let bytes = 0;

  for await (const event of stream) {
    if (event.type === 'message_start') {
      const { model: name, usage: first } = event.message;
      model = String(name).slice(0, 200);
      usage.inputTokens = toCount(first?.input_tokens);
      usage.outputTokens = toCount(first?.output_tokens);
      usage.cacheReadTokens = toCount(first?.cache_read_input_tokens);
      usage.cacheWriteTokens = toCount(first?.cache_creation_input_tokens);
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
      stopReason = toStopReason(event.delta.stop_reason);
      usage.outputTokens = toCount(event.usage?.output_tokens);
    }
    if (bytes > answerLimits.answerBytes) {
      stopReason = 'cut';
      // The service never got to say what this cost; four characters are about a token.
      usage.outputTokens = Math.max(usage.outputTokens, Math.ceil(bytes / 4));
      break;
    }
  }
  if (!stopReason) throw new Error('the stream ended in the middle of an answer');
  return { model, blocks: growing.flatMap(toBlock), stopReason, usage };
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
      return [toCall({ callId: start.id ?? '', tool: start.name ?? '', json: text })];
    default:
      return [];
  }
}
