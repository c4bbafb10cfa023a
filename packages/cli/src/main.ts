import { type Command, CommanderError } from 'commander';
import { CliError, type ExitCode, exitCodes, usageError } from './cli-error.ts';
import { exitWithReader } from './process/interrupts.ts';
import { buildProgram } from './program.ts';
import { printJson } from './view/print-json.ts';

const args = process.argv.slice(2);
const program = buildProgram();
for (const command of [program, ...program.commands, ...program.commands.flatMap((each) => each.commands)])
  throwErrors(command);

exitWithReader();

try {
  await program.parseAsync(args, { from: 'user' });
} catch (error) {
  const failure = asCliError(error);
  if (failure) process.exitCode = await report(failure);
}

/** By default commander prints its errors and exits. Here they are thrown, so that all errors look the same. */
function throwErrors(command: Command): void {
  command.exitOverride().configureOutput({ outputError: () => {} });
}

/** Undefined if nothing failed: commander also throws after printing the help. */
function asCliError(error: unknown): CliError | undefined {
  if (error instanceof CliError) return error;
  if (!(error instanceof CommanderError)) return asBug(error);
  if (error.exitCode === 0) return undefined;
  if (error.code === 'commander.help')
    return usageError('no command given.', 'Use one of the commands above.');
  const message = error.message.replace(/^error: /, '').split('\n')[0] ?? '';
  const command = program.commands.find((each) => each.name() === args[0]);
  const help = command ? `fettle ${command.name()} --help` : 'fettle --help';
  return usageError(message.endsWith('.') ? message : `${message}.`, `Run '${help}'.`);
}

/** A bug is reported with its stack trace, and with --json still as an object. */
function asBug(error: unknown): CliError {
  const { stack, message } = error instanceof Error ? error : new Error(String(error));
  const advice = 'This is a bug in Fettle. Please report it with the command that you ran.';
  return new CliError('internal', stack ?? message, { exitCode: exitCodes.failed, advice });
}

async function report(failed: CliError): Promise<ExitCode> {
  const { redactError } = await import('./view/redact-error.ts');
  const error = redactError(failed, process.env);
  if (args.includes('--json')) {
    const { errorObject, toRunResult } = await import('./commands/run/run-result.ts');
    const isRun = args.find((arg) => !arg.startsWith('-')) === 'run';
    printJson(isRun ? toRunResult(undefined, error) : { error: errorObject(error) });
  }
  const { harmless } = await import('./view/harmless.ts');
  const advice = error.exitCode === exitCodes.interrupted ? '' : `  ${error.advice}\n`;
  process.stderr.write(harmless(`fettle: ${error.message}\n${advice}`));
  return error.exitCode;
}
