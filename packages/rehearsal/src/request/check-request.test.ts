import { expect, test } from 'vitest';
import { checkRequest, signThinking } from './check-request.ts';
import { mergeMessages } from './dialogue.ts';
import { parseRequest, requestSchema } from './request.ts';

const user = (...content: object[]) => ({ role: 'user', content });
const assistant = (...content: object[]) => ({ role: 'assistant', content });
const text = (text = 'x', rest = {}) => ({ type: 'text', text, ...rest });
const use = (id: string, input: unknown = {}) => ({ type: 'tool_use', id, name: 'read', input });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: '' });
const thinking = (signature: string) => ({ type: 'thinking', thinking: 'Hm.', signature });
const marked = (ttl = '5m') => text('x', { cache_control: { type: 'ephemeral', ttl } });

function check(fields: object): string | undefined {
  const parsed = parseRequest(requestSchema, {
    model: 'm',
    max_tokens: 1,
    messages: [user(text())],
    ...fields,
  });
  return parsed.ok ? checkRequest(parsed.request, mergeMessages(parsed.request.messages)) : parsed.reason;
}

const good: Record<string, object> = {
  'a plain question': {},
  'text as a string': { messages: [{ role: 'user', content: 'x' }], system: '' },
  'neighbours of one role': {
    messages: [
      user(text()),
      user(text()),
      assistant(text()),
      assistant(use('a')),
      user(result('a')),
      user(text()),
    ],
  },
  'results in any order, then text': {
    messages: [user(text()), assistant(use('a'), use('b')), user(result('b'), result('a'), text())],
  },
  'reasoning as it was': { messages: [user(text()), assistant(thinking(signThinking('Hm.'))), user(text())] },
  'reasoning signed elsewhere': { messages: [user(text()), assistant(thinking('recorded')), user(text())] },
  'four marks, the long ones first': { messages: [user(marked('1h'), marked('1h'), marked(), marked())] },
};

test.each(Object.entries(good))('lets through %s', (_, fields) => {
  expect(check(fields)).toBeUndefined();
});

const bad: Record<string, object> = {
  'max_tokens: Field required': { max_tokens: undefined },
  'messages: at least one message is required': { messages: [] },
  'first message must use the "user" role': { messages: [assistant(text())] },
  'must end with a user message': { messages: [user(text()), assistant(text())] },
  'messages.0.content: all messages must have non-empty content': { messages: [user()] },
  'messages.0.content.0.text: text content blocks must contain non-whitespace text': {
    messages: [user(text(' '))],
  },
  'messages.1.content.0.input: Input should be a valid dictionary': {
    messages: [user(text()), assistant(use('a', 'text')), user(result('a'))],
  },
  'messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: b.': {
    messages: [user(text()), assistant(use('a'), use('b')), user(result('a'))],
  },
  'messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: a.': {
    messages: [user(text()), assistant(use('a')), user(text(), result('a'))],
  },
  'unexpected `tool_use_id` found in `tool_result` blocks: z.': { messages: [user(result('z'))] },
  'each tool_use must have a single result': {
    messages: [user(text()), assistant(use('a')), user(result('a'), result('a'))],
  },
  '`tool_use` ids must be unique: a': {
    messages: [user(text()), assistant(use('a')), user(result('a')), assistant(use('a')), user(result('a'))],
  },
  'Tool names must be unique': { tools: [{ name: 'read' }, { name: 'read' }] },
  'tools.0.name: String should match pattern': { tools: [{ name: 'read file' }] },
  'A maximum of 4 blocks with cache_control may be provided. Found 5.': {
    messages: [user(marked(), marked(), marked(), marked())],
    cache_control: { type: 'ephemeral' },
  },
  "a ttl='1h' cache_control block must not come after": { messages: [user(marked('5m'), marked('1h'))] },
  'messages.1.content.0: Invalid `signature` in `thinking` block': {
    messages: [user(text()), assistant(thinking(signThinking('Other.'))), user(text())],
  },
};

test.each(Object.entries(bad))('refuses: %s', (reason, fields) => {
  expect(check(fields)).toContain(reason);
});
