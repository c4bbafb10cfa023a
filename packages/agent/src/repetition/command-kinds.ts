/** Commands for which doing the same again is to be expected. */
import type { NotedCall } from './noted-turn.ts';

const looksAt = 2_000;

/** Waits for something that goes on elsewhere. */
const waiting = /\b(?:sleep|wait|wait-on|wait-for-it|timeout \d{1,6} tail|tail -f|watch|until)\b/;

/** Changes what the checks run on without changing a file of the repository: packages, build output, databases. */
const preparing =
  /\b(?:install|ci|build|compile|configure|make|migrate|generate|codegen|setup|restore|sync)\b/;

export const waits = (call: NotedCall): boolean => call.effect === 'runs' && waiting.test(commandOf(call));

export const prepares = (call: NotedCall): boolean =>
  call.effect === 'runs' && call.status === 'ok' && preparing.test(commandOf(call));

function commandOf({ tool, input }: NotedCall): string {
  const command = (input as { command?: unknown } | null | undefined)?.command;
  return typeof command === 'string' ? command.slice(0, looksAt) : tool.replaceAll('_', ' ');
}
