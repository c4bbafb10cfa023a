/** The two ways to shorten a conversation. Both are pure functions, so that a resumed attempt gets the same result. */
import type { Message, UserItem } from '../model/model.ts';

/** Tools whose results can be read again by the same call. */
const repeatableTools = new Set([
  ...['read_file', 'read_output', 'list_directory', 'search_files', 'search_text'],
  ...['git_status', 'git_diff', 'git_log'],
]);
const minShedCharacters = 400;

/** Replaces old results that can be read again with a short note. Every call keeps a result. */
export function shedResults(messages: Message[], keptFrom: number): Message[] {
  const kept = indexOfTurn(messages, keptFrom);
  const tools = new Map<string, string>();
  return messages.map((message, index) => {
    if (index >= kept) return message;
    if (message.role === 'assistant') {
      for (const block of message.blocks) if (block.kind === 'tool') tools.set(block.callId, block.tool);
      return message;
    }
    return { ...message, items: message.items.map((item) => shed(item, tools)) };
  });
}

function shed(item: UserItem, tools: Map<string, string>): UserItem {
  if (item.kind !== 'result' || item.output.length < minShedCharacters) return item;
  const tool = tools.get(item.callId) ?? '';
  if (!repeatableTools.has(tool)) return item;
  return {
    ...item,
    output: `(${item.output.length} characters left out to save space; call ${tool} again if you need them)`,
  };
}

/** Replaces the older turns with a summary after the request. The last user message before the kept turns stays. */
export function replaceBySummary(messages: Message[], keptFrom: number, summary: string): Message[] {
  const kept = indexOfTurn(messages, keptFrom);
  const request = messages[0]?.role === 'user' ? messages[0].items.slice(0, 1) : [];
  const before = kept > 1 ? messages[kept - 1] : undefined;
  const lastTexts = before?.role === 'user' ? before.items.filter(({ kind }) => kind === 'text') : [];
  const items: UserItem[] = [...request, { kind: 'text', text: summary }, ...lastTexts];
  return [{ role: 'user', items }, ...messages.slice(kept)];
}

/** The messages that a summary replaces. */
export function leftOut(messages: Message[], keptFrom: number): Message[] {
  const before = messages.slice(0, indexOfTurn(messages, keptFrom));
  const last = before.at(-1);
  if (before.length < 2 || last?.role !== 'user') return before;
  return [...before.slice(0, -1), { ...last, items: last.items.filter(({ kind }) => kind !== 'text') }];
}

/** The index of a turn's answer. Cutting there separates no call from its result. */
function indexOfTurn(messages: Message[], turn: number): number {
  const index = messages.findIndex((message) => message.role === 'assistant' && message.turn >= turn);
  return index < 0 ? messages.length : index;
}

/** The first turn to keep unchanged: as many of the newest turns as fit the tokens, and at least the last one. */
export function chooseKept(
  messages: Message[],
  tokensOf: (message: Message) => number,
  maxTokens: number,
): number | undefined {
  let kept: number | undefined;
  let tokens = 0;
  for (const message of messages.toReversed()) {
    tokens += tokensOf(message);
    if (message.role !== 'assistant') continue;
    if (kept !== undefined && tokens > maxTokens) break;
    kept = message.turn;
  }
  return kept;
}
