/** Puts a streamed answer together, within bounds: what comes from outside may be endless, broken or not JSON. */
import type { MessageStreamEvent } from '@anthropic-ai/sdk/resources/messages/messages';
import { z } from 'zod';
import type { Block, ModelAnswer, StopReason } from './model.ts';

export const answerLimits = {
  answerBytes: 4_000_000,
  inputBytes: 1_000_000,
  textBytes: 400_000,
  blocks: 1_000,
};

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
});

interface Growing {
  start: z.infer<typeof startSchema>;
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
      usage.inputTokens = count(first?.input_tokens);
      usage.outputTokens = count(first?.output_tokens);
      usage.cacheReadTokens = count(first?.cache_read_input_tokens);
      usage.cacheWriteTokens = count(first?.cache_creation_input_tokens);
    } else if (event.type === 'content_block_start') {
      if (event.index !== growing.length || growing.length >= answerLimits.blocks) {
        throw new Error(`the answer's block ${event.index} is out of order`);
      }
      growing.push({ start: startSchema.parse(event.content_block), text: '', signature: '' });
      bytes += JSON.stringify(event.content_block).length;
    } else if (event.type === 'content_block_delta') {
      bytes += grow(growing[event.index], event.delta);
    } else if (event.type === 'message_delta') {
      stopReason = toStopReason(event.delta.stop_reason);
      usage.outputTokens = count(event.usage?.output_tokens);
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

/** A number of tokens, whatever came: budgets are kept by it. */
function count(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.min(Math.ceil(value), 1_000_000_000) : 0;
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

function toStopReason(given: string | null): StopReason {
  if (given === 'tool_use') return 'tool';
  if (given === 'refusal') return 'refusal';
  return given === 'max_tokens' || given === 'model_context_window_exceeded' ? 'cut' : 'end';
}

function toBlock({ start, text, signature }: Growing): Block[] {
  switch (start.type) {
    case 'text': {
      const whole = (start.text ?? '') + text;
      // The Messages API takes no empty text back.
      return whole.trim() === '' ? [] : [{ kind: 'text', text: whole.slice(0, answerLimits.textBytes) }];
    }
    case 'thinking': {
      const whole = (start.thinking ?? '') + text;
      return [{ kind: 'reasoning', text: whole, block: { type: 'thinking', thinking: whole, signature } }];
    }
    case 'redacted_thinking':
      return [{ kind: 'reasoning', text: '', block: start }];
    case 'tool_use':
      return [toCall(start.id ?? '', start.name ?? '', text)];
    default:
      return [];
  }
}

function toCall(callId: string, tool: string, json: string): Block {
  const faulty = (fault: string): Block => ({ kind: 'tool', callId, tool, input: {}, fault });
  if (json.length > answerLimits.inputBytes) {
    return faulty(
      `the input has ${json.length} bytes, over the limit of ${answerLimits.inputBytes}: send it in smaller pieces`,
    );
  }
  if (json.trim() === '') return { kind: 'tool', callId, tool, input: {} };
  try {
    const input: unknown = JSON.parse(json);
    if (typeof input !== 'object' || input === null || Array.isArray(input))
      return faulty('the input is not a JSON object');
    return { kind: 'tool', callId, tool, input };
  } catch {
    return faulty('the input is not valid JSON; it may have been cut short');
  }
}
