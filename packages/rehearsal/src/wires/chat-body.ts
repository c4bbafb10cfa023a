/**
 * A message as a chat completion: one JSON document, or the chunks of a stream. The format has one place for all texts and
 * one for all calls, so their order relative to each other is lost.
 */
import type { ComposedMessage, WireBlock } from '../answer/compose-message.ts';
import type { PlayRequest } from '../request/request.ts';
import { cutText } from './cut-text.ts';

const finishReasons: Record<string, string> = {
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
};

export function chatJson(message: ComposedMessage): string {
  const tool_calls = callsOf(message).map(({ id, name, json }) => ({
    ...{ id, type: 'function', function: { name, arguments: json } },
  }));
  const said = {
    role: 'assistant',
    ...Object.fromEntries(textsOf(message).filter(([, text]) => text !== '')),
    ...(tool_calls.length > 0 && { tool_calls }),
  };
  const choices = [{ index: 0, message: said, finish_reason: finishReason(message) }];
  const { id, model } = message;
  return JSON.stringify({
    id,
    object: 'chat.completion',
    created: 0,
    model,
    choices,
    usage: usageOf(message),
  });
}

export function* chatEvents(message: ComposedMessage, request: PlayRequest): Generator<string> {
  yield delta(message, { role: 'assistant', content: '' });
  for (const [field, text] of textsOf(message)) {
    for (const piece of cutText(text)) yield delta(message, { [field]: piece });
  }
  for (const [index, { id, name, json }] of callsOf(message).entries()) {
    const start = { index, id, type: 'function', function: { name, arguments: '' } };
    yield delta(message, { tool_calls: [start] });
    for (const piece of cutText(json))
      yield delta(message, { tool_calls: [{ index, function: { arguments: piece } }] });
  }
  yield chunk(message, { choices: [{ index: 0, delta: {}, finish_reason: finishReason(message) }] });
  if (wantsUsage(request)) yield chunk(message, { choices: [], usage: usageOf(message) });
  yield 'data: [DONE]\n\n';
}

export function openChatEvents(message: ComposedMessage): string[] {
  return [delta(message, { role: 'assistant', content: '' })];
}

export function chatTextEvent(text: string): string {
  return delta({ id: 'chatcmpl', model: 'endless' }, { content: text });
}

type Named = Pick<ComposedMessage, 'id' | 'model'>;

function delta(message: Named, delta: object): string {
  return chunk(message, { choices: [{ index: 0, delta, finish_reason: null }] });
}

function chunk({ id, model }: Named, rest: object): string {
  const shell = { id, object: 'chat.completion.chunk', created: 0, model };
  return `data: ${JSON.stringify({ ...shell, ...rest })}\n\n`;
}

function textsOf({ content, stopReason }: ComposedMessage): [string, string][] {
  const join = (pick: (block: WireBlock) => string) => content.map(pick).join('');
  const said = join((block) => (block.type === 'text' ? block.text : ''));
  return [
    // Not a field of OpenAI. Compatible servers send reasoning in it.
    ['reasoning_content', join((block) => (block.type === 'thinking' ? block.thinking : ''))],
    [stopReason === 'refusal' ? 'refusal' : 'content', said],
  ];
}

function callsOf({ content }: ComposedMessage) {
  return content.filter((block) => block.type === 'tool_use');
}

function finishReason({ stopReason }: ComposedMessage): string {
  return finishReasons[stopReason] ?? 'stop';
}

function usageOf({ usage }: ComposedMessage) {
  const cached_tokens = usage.cache_read_input_tokens;
  const prompt_tokens = usage.input_tokens + usage.cache_creation_input_tokens + cached_tokens;
  const completion_tokens = usage.output_tokens;
  const total_tokens = prompt_tokens + completion_tokens;
  return { prompt_tokens, completion_tokens, total_tokens, prompt_tokens_details: { cached_tokens } };
}

function wantsUsage({ stream_options }: PlayRequest): boolean {
  return (stream_options as { include_usage?: boolean } | undefined)?.include_usage === true;
}
