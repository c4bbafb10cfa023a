/** A message of the Messages API: one JSON document, or the events of a stream. */
import type { ComposedMessage, WireBlock } from '../answer/compose-message.ts';
import { cutText } from './cut-text.ts';

export function messageJson(message: ComposedMessage): string {
  const content = message.content.map(plainBlock);
  return joinRaw({ ...shell(message), content, ...ending(message), usage: message.usage }, message);
}

export function* messageEvents(message: ComposedMessage): Generator<string> {
  const usage = { ...message.usage, output_tokens: 1 };
  yield event('message_start', { message: { ...shell(message), content: [], usage } });
  for (const [index, block] of message.content.entries()) {
    yield event('content_block_start', { index, content_block: emptyBlock(block) });
    if (index === 0) yield event('ping', {});
    for (const delta of deltas(block)) yield event('content_block_delta', { index, delta });
    yield event('content_block_stop', { index });
  }
  const { service_tier, cache_creation, ...counts } = message.usage;
  yield event('message_delta', { delta: ending(message), usage: counts });
  yield event('message_stop', {});
}

export function textDelta(text: string): string {
  return event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } });
}

/** The start of a message that never ends. */
export function openTextEvents(message: ComposedMessage): string[] {
  const events = messageEvents({ ...message, content: [{ type: 'text', text: '' }] });
  return [...events.take(3)];
}

function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}

function shell({ id, model }: ComposedMessage) {
  const open = { stop_reason: null, stop_sequence: null, stop_details: null };
  return { id, type: 'message', role: 'assistant', model, ...open };
}

function ending({ stopReason }: ComposedMessage) {
  const refused = { type: 'refusal', category: null, explanation: null };
  const details = stopReason === 'refusal' ? refused : null;
  return { stop_reason: stopReason, stop_sequence: null, stop_details: details };
}

function emptyBlock(block: WireBlock): object {
  if (block.type === 'text') return { type: 'text', text: '', citations: null };
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' };
  if (block.type === 'redacted_thinking') return block;
  const { id, name } = block;
  return { type: 'tool_use', id, name, input: {}, caller: { type: 'direct' } };
}

function* deltas(block: WireBlock): Generator<object> {
  if (block.type === 'text') {
    for (const text of cutText(block.text)) yield { type: 'text_delta', text };
  } else if (block.type === 'thinking') {
    for (const thinking of cutText(block.thinking)) yield { type: 'thinking_delta', thinking };
    yield { type: 'signature_delta', signature: block.signature };
  } else if (block.type === 'tool_use') {
    yield { type: 'input_json_delta', partial_json: '' };
    for (const partial_json of cutText(block.json)) yield { type: 'input_json_delta', partial_json };
  }
}

function plainBlock(block: WireBlock, index: number): object {
  if (block.type === 'text') return { ...block, citations: null };
  if (block.type === 'thinking' || block.type === 'redacted_thinking') return block;
  const { id, name } = block;
  return { type: 'tool_use', id, name, input: placeholder(index), caller: { type: 'direct' } };
}

/** Inserts the input as text, because a hostile input is not valid JSON. */
function joinRaw(body: object, { content }: ComposedMessage): string {
  return content.reduce(
    (text, block, index) =>
      block.type === 'tool_use' ? text.replace(JSON.stringify(placeholder(index)), () => block.json) : text,
    JSON.stringify(body),
  );
}

function placeholder(index: number): string {
  return `\0input of block ${index}\0`;
}
