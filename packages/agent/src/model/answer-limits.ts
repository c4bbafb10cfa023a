/** The limits of an answer from any service, and the conversion of its parts. */
import { randomUUID } from 'node:crypto';
import type { Usage } from '@fettle/contract';
import type { Block } from './model.ts';

/** Used to charge for answers without reported usage and for failed ones. */
export interface Charge {
  promptCharacters(): number;
  lose(usage: Usage): void;
}

export const answerLimits = {
  answerBytes: 4_000_000,
  inputBytes: 1_000_000,
  textBytes: 400_000,
  blocks: 1_000,
  /** No tool needs ten. Recursive code would overflow the stack on a recorded input with thousands of levels. */
  inputLevels: 100,
};

/** Converts any value to a valid number of tokens, because budgets count it. */
export function toCount(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.min(Math.ceil(value), 1_000_000_000) : 0;
}

/** For services that report no usage: a token has about four characters. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / 4);
}

/** Services reject empty text blocks. */
export function toText(text: string): Block[] {
  return text.trim() === '' ? [] : [{ kind: 'text', text: text.slice(0, answerLimits.textBytes) }];
}

export interface GivenCall {
  callId: string;
  tool: string;
  /** The raw input. */
  json: string;
}

export function toCall({ callId, tool, json }: GivenCall): Block {
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
    if (isDeeper(input, answerLimits.inputLevels))
      return faulty(`the input is nested deeper than ${answerLimits.inputLevels} levels`);
    return { kind: 'tool', callId, tool, input };
  } catch {
    return faulty('the input is not valid JSON; it may have been cut off');
  }
}

/** Iterative, because recursion could overflow the stack. */
function isDeeper(value: unknown, levels: number): boolean {
  let level = [value];
  for (let depth = 0; depth <= levels; depth++) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
    if (level.length === 0) return false;
  }
  return true;
}

/** Gives every call a unique id. Results refer to it, and services reject missing or duplicate ids. */
export function giveIds(blocks: Block[]): Block[] {
  const given = new Set(['']);
  return blocks.map((block) => {
    if (block.kind !== 'tool') return block;
    const callId = given.has(block.callId) ? `call_${randomUUID()}` : block.callId;
    given.add(callId);
    return { ...block, callId };
  });
}
