import type { Expectation } from '../record/conversation.ts';
import { lastToolResult, textOf } from '../request/dialogue.ts';
import type { Block } from '../request/request.ts';

const shownLength = 500;

/** Returns what the last user message lacks, or undefined if it meets the expectation. */
export function checkExpectation(expectation: Expectation | undefined, content: Block[]): string | undefined {
  return checkToolResult(expectation?.lastToolResult, content) ?? checkText(expectation?.lastText, content);
}

function checkToolResult(expected: Expectation['lastToolResult'], content: Block[]): string | undefined {
  if (!expected) return undefined;
  const result = lastToolResult(content);
  if (!result) return 'expected a tool result in the last message, found none';
  const { isError } = result;
  if (expected.isError !== undefined && isError !== undefined && expected.isError !== isError) {
    const wanted = expected.isError ? 'an error' : 'no error';
    return `expected ${wanted} as the last tool result, found ${show(result.text)}`;
  }
  return checkContains('the last tool result', expected.contains ?? [], result.text);
}

function checkText(expected: Expectation['lastText'], content: Block[]): string | undefined {
  return expected && checkContains('the last text', expected.contains, textOf(content));
}

function checkContains(what: string, wanted: string[], text: string): string | undefined {
  const missing = wanted.find((it) => !text.includes(it));
  return missing === undefined
    ? undefined
    : `expected ${what} to contain ${show(missing)}, found ${show(text)}`;
}

function show(text: string): string {
  return JSON.stringify(text.length > shownLength ? `${text.slice(0, shownLength)}…` : text);
}
