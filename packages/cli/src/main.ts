import { type Command, CommanderError } from 'commander';
import { CliError, type ExitCode, exitCodes, usageError } from './cli-error.ts';
import { endWithReader } from './process/output-reader.ts';
import { buildProgram } from './program.ts';
import { printJson } from './view/print-json.ts';

const words = process.argv.slice(2);
const program = buildProgram((code) => {
  process.exitCode = code;
});
for (const command of [program, ...program.commands, ...program.commands.flatMap((each) => each.commands)])
  speakInOneVoice(command);

endWithReader();

try {
  await program.parseAsync(words, { from: 'user' });
} catch (error) {
  const failure = asCliError(error);
  if (failure) process.exitCode = await report(failure);
}

/** Commander prints and exits by itself; here a mistake is one sentence, wherever it was made. */
function speakInOneVoice(command: Command): void {
  command.exitOverride().configureOutput({ outputError: () => {} });
}

/** Undefined when nothing went wrong: asking for help ends by an exception too. */
function asCliError(error: unknown): CliError | undefined {
  if (error instanceof CliError) return error;
  if (!(error instanceof CommanderError)) return asBug(error);
  if (error.exitCode === 0) return undefined;
  if (error.code === 'commander.help') return usageError('no command was given.', 'Name one of those above.');
  const message = error.message.replace(/^error: /, '').split('\n')[0] ?? '';
  return usageError(message.endsWith('.') ? message : `${message}.`, "See 'fettle --help' and its examples.");
}

/** A bug keeps its stack trace, and whoever waits for an object still gets one. */
function asBug(error: unknown): CliError {
  const { stack, message } = error instanceof Error ? error : new Error(String(error));
  const advice = 'This is a bug in Fettle; please report it with what you typed.';
  return new CliError('internal', stack ?? message, { exitCode: exitCodes.failed, advice });
}

async function report(failed: CliError): Promise<ExitCode> {
  const { redactError } = await import('./view/redact-error.ts');
  const error = redactError(failed, process.env);
  if (words.includes('--json')) {
    const { errorObject, toRunResult } = await import('./commands/run/run-result.ts');
    const isRun = words.find((word) => !word.startsWith('-')) === 'run';
    printJson(isRun ? toRunResult(undefined, error) : { error: errorObject(error) });
  }
  const { harmless } = await import('./view/harmless.ts');
  const advice = error.exitCode === exitCodes.interrupted ? '' : `  ${error.advice}\n`;
  process.stderr.write(harmless(`fettle: ${error.message}\n${advice}`));
  return error.exitCode;
}
