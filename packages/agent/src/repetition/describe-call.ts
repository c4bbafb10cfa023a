/** Reduces a finished call to hashes. */
import { hashLines, hashResult, hashSimilar, hashText, serialise } from './fingerprint.ts';
import type { ObservedCall } from './observed-turn.ts';
import type { CallDescription } from './turn-description.ts';

const maxLabel = 80;
/** Reading the same place again shows in the first characters, wherever the reading ends. */
const headCharacters = 300;

export function describeCall(call: ObservedCall): Omit<CallDescription, 'repeatedMoves'> {
  const { tool, input, output, status, changed, effect } = call;
  const serialised = serialise(input);
  const result = (effect === 'runs' ? hashLines : hashResult)(`${status}\n${output}`);
  return {
    tool,
    label: labelOf(call),
    call: hashText(`${tool}\n${serialised}`),
    result,
    ...similarityOf(call, { serialised, result }),
    waits: waits(call),
    resets: changed.length > 0 || prepares(call),
  };
}

/**
 * Reading twenty files, or making the same edit in twenty files, is normal work. So successful calls are similar only if
 * they read the same place of the same file, or run the same command with the same result. Failed calls are similar if
 * they differ only in paths and numbers.
 */
function similarityOf(
  { tool, effect, input, output, status }: ObservedCall,
  { serialised, result }: Record<'serialised' | 'result', string>,
): Pick<CallDescription, 'similarCall' | 'similarResult'> {
  if (status === 'ok') {
    const similarCall = hashText(`${tool}\n${serialiseWithoutNumbers(input)}`);
    return {
      similarCall,
      similarResult: effect === 'reads' ? hashResult(output.slice(0, headCharacters)) : result,
    };
  }
  // After an edit that does not match, the next guess has another text, and so has its error.
  if (effect === 'writes') return { similarCall: hashText(tool), similarResult: status };
  return { similarCall: hashSimilar(`${tool}\n${serialised}`), similarResult: hashSimilar(output) };
}

/** The input without offsets, limits and times. Numbers inside strings, such as file names, stay. */
function serialiseWithoutNumbers(input: unknown): string {
  const fields = Object.entries(input ?? {}).filter(([, value]) => typeof value !== 'number');
  return serialise(Object.fromEntries(fields));
}

function labelOf({ tool, input }: ObservedCall): string {
  const { command, path, pattern } = (input ?? {}) as Record<string, unknown>;
  const subject = [command, pattern, path].find((value) => typeof value === 'string' && value !== '');
  if (typeof subject !== 'string') return tool.slice(0, maxLabel);
  const plain = subject.slice(0, maxLabel + 1).replace(/[\p{Cc}\s]+/gu, ' ');
  const cut = plain.length > maxLabel ? `${plain.slice(0, maxLabel)}…` : plain;
  return `${tool.slice(0, maxLabel)} «${cut}»`;
}

const maxCommandCharacters = 2_000;

/** Commands that wait for something outside. */
const waiting = /\b(?:sleep|wait|wait-on|wait-for-it|timeout \d{1,6} tail|tail -f|watch|until)\b/;

/** Commands that change what the checks run on without changing a tracked file: packages, build output, databases. */
const preparing =
  /\b(?:install|ci|build|compile|configure|make|migrate|generate|codegen|setup|restore|sync)\b/;

const waits = (call: ObservedCall): boolean => call.effect === 'runs' && waiting.test(commandOf(call));

const prepares = (call: ObservedCall): boolean =>
  call.effect === 'runs' && call.status === 'ok' && preparing.test(commandOf(call));

function commandOf({ tool, input }: ObservedCall): string {
  const command = (input as { command?: unknown } | null | undefined)?.command;
  return typeof command === 'string' ? command.slice(0, maxCommandCharacters) : tool.replaceAll('_', ' ');
}
