/** The two ways to make a conversation shorter. Both depend on nothing but what is given, so that a resume does the same. */
import type { Message, UserItem } from '../model/model.ts';

/** Results that the same call brings again, as long as nothing changed. */
const readAgain = new Set([
  ...['read_file', 'read_output', 'list_directory', 'search_files', 'search_text'],
  ...['git_status', 'git_diff', 'git_log'],
]);
const worthShedding = 400;

/** Leaves out the bodies of old results that can be read again; every call keeps its result. */
export function shedResults(messages: Message[], keptFrom: number): Message[] {
  const kept = placeOf(messages, keptFrom);
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
  if (item.kind !== 'result' || item.output.length < worthShedding) return item;
  const tool = tools.get(item.callId) ?? '';
  if (!readAgain.has(tool)) return item;
  return {
    ...item,
    output: `(${item.output.length} characters left out to save room; call ${tool} again if you need them)`,
  };
}

/** Puts a summary in the place of what came before, behind the request. What was said to the model last is not lost. */
export function replaceBySummary(messages: Message[], keptFrom: number, summary: string): Message[] {
  const kept = placeOf(messages, keptFrom);
  const request = messages[0]?.role === 'user' ? messages[0].items.slice(0, 1) : [];
  const before = kept > 1 ? messages[kept - 1] : undefined;
  const saidLast = before?.role === 'user' ? before.items.filter(({ kind }) => kind === 'text') : [];
  const items: UserItem[] = [...request, { kind: 'text', text: summary }, ...saidLast];
  return [{ role: 'user', items }, ...messages.slice(kept)];
}

/** What the model sees no more once a summary stands in its place. */
export function leftOut(messages: Message[], keptFrom: number): Message[] {
  const before = messages.slice(0, placeOf(messages, keptFrom));
  const last = before.at(-1);
  if (before.length < 2 || last?.role !== 'user') return before;
  return [...before.slice(0, -1), { ...last, items: last.items.filter(({ kind }) => kind !== 'text') }];
}

/** Where the answer of a turn stands. A cut there parts no call from its result. */
function placeOf(messages: Message[], turn: number): number {
  const place = messages.findIndex((message) => message.role === 'assistant' && message.turn >= turn);
  return place < 0 ? messages.length : place;
}

/** The first turn of those that stay whole: the newest ones within so many tokens, and the last in any case. */
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
