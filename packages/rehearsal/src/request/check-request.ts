/** The rules of the real API that a bug in an agent can violate, with the API's own messages. */
import { createHash } from 'node:crypto';
import { promptSegments } from './cache-marks.ts';
import type { Dialogue } from './dialogue.ts';
import type { Block, CountRequest } from './request.ts';

const maxCacheMarks = 4;

/** Returns the first violation. */
export function checkRequest(
  request: CountRequest,
  dialogue: Dialogue,
  /** Whether the last answer was a pause. Only such an answer may be the last message. */
  paused = false,
): string | undefined {
  return (
    checkTools(request) ??
    checkCacheMarks(request) ??
    checkEnds(dialogue, paused) ??
    checkToolUse(dialogue) ??
    checkThinking(dialogue)
  );
}

function checkTools({ tools = [] }: CountRequest): string | undefined {
  const unique = new Set(tools.map((tool) => tool.name));
  return unique.size < tools.length ? 'tools: Tool names must be unique.' : undefined;
}

function checkCacheMarks(request: CountRequest): string | undefined {
  const marks = promptSegments(request).flatMap((segment) => segment.marks);
  if (marks.length > maxCacheMarks) {
    return `A maximum of ${maxCacheMarks} blocks with cache_control may be provided. Found ${marks.length}.`;
  }
  if (marks.includes('5m') && marks.lastIndexOf('1h') > marks.indexOf('5m')) {
    return "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block.";
  }
  return undefined;
}

function checkEnds(dialogue: Dialogue, paused: boolean): string | undefined {
  if (dialogue[0]?.role !== 'user') return 'messages: first message must use the "user" role';
  if (dialogue.at(-1)?.role !== 'user' && !paused)
    return 'messages: The conversation must end with a user message.';
  return undefined;
}

function checkToolUse(dialogue: Dialogue): string | undefined {
  const seen = new Set<string>();
  for (const [index, { role, content }] of dialogue.entries()) {
    const at = `messages.${index}`;
    const calls = idsOfCalls(content);
    if (role === 'user') {
      if (calls.length > 0) return `${at}: \`tool_use\` blocks can only be in \`assistant\` messages`;
      const reason = checkResults(at, idsOfCalls(dialogue[index - 1]?.content ?? []), content);
      if (reason) return reason;
      continue;
    }
    if (content.some(isResult)) return `${at}: \`tool_result\` blocks can only be in \`user\` messages`;
    for (const id of calls) {
      if (seen.has(id)) return `${at}: \`tool_use\` ids must be unique: ${id}`;
      seen.add(id);
    }
  }
  return undefined;
}

function checkResults(at: string, calls: string[], content: Block[]): string | undefined {
  const results = content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
  const unasked = results.find((id) => !calls.includes(id));
  if (unasked) {
    return `${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${unasked}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
  }
  if (new Set(results).size < results.length) return `${at}: each tool_use must have a single result.`;
  // Results count only if they precede all other content.
  const otherwise = content.findIndex((block) => !isResult(block));
  const leading = results.slice(0, otherwise === -1 ? undefined : otherwise);
  const missing = calls.filter((id) => !leading.includes(id));
  if (missing.length === 0) return undefined;
  return `${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
}

function checkThinking(dialogue: Dialogue): string | undefined {
  for (const [index, { role, content }] of dialogue.entries()) {
    for (const [position, block] of content.entries()) {
      if (block.type !== 'thinking') continue;
      const at = `messages.${index}.content.${position}`;
      if (role !== 'assistant') return `${at}: \`thinking\` blocks can only be in \`assistant\` messages`;
      if (!signatureFits(block)) return `${at}: Invalid \`signature\` in \`thinking\` block`;
    }
  }
  return undefined;
}

function idsOfCalls(content: Block[]): string[] {
  return content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
}

function isResult(block: Block): boolean {
  return block.type === 'tool_result';
}

const signaturePrefix = 'rehearsal-';

/** A hash is enough to detect reasoning that does not come back unchanged. */
export function signThinking(thinking: string): string {
  return signaturePrefix + createHash('sha256').update(thinking).digest('base64');
}

/** A recorded signature of the real API cannot be verified and passes. */
function signatureFits(block: { thinking: string; signature: string }): boolean {
  return !block.signature.startsWith(signaturePrefix) || block.signature === signThinking(block.thinking);
}
