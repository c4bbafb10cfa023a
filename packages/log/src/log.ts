/** The logger of all services: JSON lines on standard error, with errors reduced to message, code and stack. */
import { type Logger, pino } from 'pino';
import { createLineSink } from './line-sink.ts';
import { redactLine } from './redact-line.ts';

export type Log = Logger;

const maxTextLength = 4_000;
const standardError = 2;

/** Every line passes through `redact`, which removes secrets. */
export function createLog(name: string, level: string, redact: (text: string) => string): Log {
  const sink = createLineSink(standardError, name);
  const write = (line: string) => sink.write(redactLine(line, redact));
  return pino({ name, level, serializers: { err: describeError } }, { write });
}

/** Errors of libraries have properties with commands and contents, which must not be logged. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error).slice(0, maxTextLength) };
  const { name, message, stack = '', cause } = error;
  const { code } = error as { code?: unknown };
  return {
    type: name,
    message: message.slice(0, maxTextLength),
    ...(typeof code === 'string' && { code }),
    stack: stack.slice(0, maxTextLength),
    ...(cause instanceof Error && { cause: describeError(cause) }),
  };
}
