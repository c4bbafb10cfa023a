/** The one way to a log: lines of JSON on standard error, in which an error is its words and its place. */
import { type Logger, pino } from 'pino';
import { createLineSink } from './line-sink.ts';
import { redactLine } from './redact-line.ts';

export type Log = Logger;

const longestText = 4_000;
const standardError = 2;

/** `redact` takes secrets out of a text; every line goes through it. */
export function createLog(name: string, level: string, redact: (text: string) => string): Log {
  const sink = createLineSink(standardError, name);
  const write = (line: string) => sink.write(redactLine(line, redact));
  return pino({ name, level, serializers: { err: describeError } }, { write });
}

/** Errors of libraries carry what they were doing, commands and contents included; nothing of that goes into a log. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error).slice(0, longestText) };
  const { name, message, stack = '', cause } = error;
  const { code } = error as { code?: unknown };
  return {
    type: name,
    message: message.slice(0, longestText),
    ...(typeof code === 'string' && { code }),
    stack: stack.slice(0, longestText),
    ...(cause instanceof Error && { cause: describeError(cause) }),
  };
}
