/** Turns a recorded answer into a message of the API, with ids, signatures, stop reason and usage. */
import { createHash } from 'node:crypto';
import type { Answer, AnswerBlock } from '../record/conversation.ts';
import { expandText, expandTexts } from '../record/repeated-text.ts';
import { signThinking } from '../request/check-request.ts';
import { estimateTokens, type InputUsage } from './prompt-cache.ts';

/** `json` is the input as it is sent. In a hostile answer it may be invalid. */
export type WireBlock =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'tool_use'; id: string; name: string; json: string };

export type ComposedMessage = {
  id: string;
  model: string;
  content: WireBlock[];
  stopReason: string;
  usage: Usage;
};

type Usage = ReturnType<typeof composeUsage>;
/** `answers` counts the answers of the model, including this one. A repeated turn gets new ids. */
type Place = { conversation: string; answers: number };

export function composeMessage(
  answer: Answer,
  { conversation, answers, model, input }: Place & { model: string; input: InputUsage },
): ComposedMessage {
  const content = answer.content.map((block, index) => composeBlock(block, { conversation, answers }, index));
  const called = content.some((block) => block.type === 'tool_use');
  return {
    id: `msg_${derive(conversation, answers)}`,
    model,
    content,
    stopReason: answer.stop_reason ?? (called ? 'tool_use' : 'end_turn'),
    usage: composeUsage(answer, input, content),
  };
}

function composeBlock(block: AnswerBlock, place: Place, index: number): WireBlock {
  if (block.type === 'text') return { type: 'text', text: expandText(block.text) };
  if (block.type === 'thinking') {
    const thinking = expandText(block.thinking);
    return { type: 'thinking', thinking, signature: block.signature ?? signThinking(thinking) };
  }
  if (block.type === 'redacted_thinking') return block;
  const id = block.id ?? `toolu_a${place.answers}_${derive(place.conversation, place.answers, index)}`;
  const json = 'rawInput' in block ? expandText(block.rawInput) : JSON.stringify(expandTexts(block.input));
  return { type: 'tool_use', id, name: block.name, json };
}

function composeUsage({ usage = {} }: Answer, input: InputUsage, content: WireBlock[]) {
  const written = usage.cache_creation_input_tokens;
  const written1h = written === undefined ? input.written1h : 0;
  const written5m = written ?? input.written5m;
  return {
    input_tokens: usage.input_tokens ?? input.fresh,
    output_tokens: usage.output_tokens ?? outputTokens(content),
    cache_creation_input_tokens: written5m + written1h,
    cache_read_input_tokens: usage.cache_read_input_tokens ?? input.read,
    cache_creation: { ephemeral_5m_input_tokens: written5m, ephemeral_1h_input_tokens: written1h },
    service_tier: 'standard',
  };
}

function outputTokens(content: WireBlock[]): number {
  return content.reduce((sum, block) => sum + estimateTokens(bulkOf(block)), 1);
}

function bulkOf(block: WireBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'thinking') return block.thinking;
  return block.type === 'tool_use' ? block.name + block.json : block.data;
}

/** The same place has the same id, so a repeated request gets the same bytes. */
function derive(...place: (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(place)).digest('hex').slice(0, 24);
}
