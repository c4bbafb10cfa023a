/** What an answer may have, of whatever service, and what is made of its pieces. */
import { randomUUID } from 'node:crypto';
import type { Usage } from '@fettle/contract';
import type { Block } from './model.ts';

/** By what an answer is charged where the service does not say it, and where it came to nothing. */
export interface Charge {
  promptCharacters(): number;
  lose(usage: Usage): void;
}

export const answerLimits = {
  answerBytes: 4_000_000,
  inputBytes: 1_000_000,
  textBytes: 400_000,
  blocks: 1_000,
  /** No tool needs ten; whoever walks through a thousand of them runs out of stack, at any time after it is on record. */
  inputLevels: 100,
};

/** A number of tokens, whatever came: budgets are kept by it. */
export function toCount(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.min(Math.ceil(value), 1_000_000_000) : 0;
}

/** Where a service does not say what it counted: four characters are about a token. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / 4);
}

/** No service takes an empty text back. */
export function toText(text: string): Block[] {
  return text.trim() === '' ? [] : [{ kind: 'text', text: text.slice(0, answerLimits.textBytes) }];
}

export interface GivenCall {
  callId: string;
  tool: string;
  /** The input as it came. */
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
    return faulty('the input is not valid JSON; it may have been cut short');
  }
}

/** Level by level, and not by a call for each. */
function isDeeper(value: unknown, levels: number): boolean {
  let level = [value];
  for (let depth = 0; depth <= levels; depth++) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
    if (level.length === 0) return false;
  }
  return true;
}

/** Results name the call that they answer, and services refuse a conversation in which two calls have one name, or none. */
export function giveIds(blocks: Block[]): Block[] {
  const given = new Set(['']);
  return blocks.map((block) => {
    if (block.kind !== 'tool') return block;
    const callId = given.has(block.callId) ? `call_${randomUUID()}` : block.callId;
    given.add(callId);
    return { ...block, callId };
  });
}
