import { writeSync } from 'node:fs';

/** A failure that the user can fix: what went wrong and what to do. */
export class SetupFailure extends Error {
  constructor(message, { advice, output = '' }) {
    super(message);
    this.advice = advice;
    this.output = output;
  }
}

/**
 * Writes directly to the descriptor: opening process.stderr could leave it non-blocking for the program that replaces
 * this process.
 */
export function say(text) {
  writeSync(2, text);
}

/** Runs one step and prints its title and how long it took. */
export async function runStep(step) {
  const start = performance.now();
  say(`• ${step.title()} …`);
  try {
    await step.run();
    say(` ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
  } catch (error) {
    say(' failed\n');
    if (!step.optional || !(error instanceof SetupFailure)) throw error;
    reportFailure(error);
  }
}

/** Prints the failure and returns the exit code. Any other error is a bug and is thrown with its stack trace. */
export function reportFailure(error) {
  if (!(error instanceof SetupFailure)) throw error;
  const output = error.output.trim().split('\n').slice(-40).join('\n');
  if (output) say(`${output.replace(/^/gm, '  │ ')}\n`);
  say(`✗ ${error.message}\n  ${error.advice}\n`);
  return 1;
}
