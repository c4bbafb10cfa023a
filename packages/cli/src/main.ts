import { type Command, CommanderError } from 'commander';
import { CliError, type ExitCode, exitCodes, usageError } from './cli-error.ts';
import { exitWithReader } from './process/interrupts.ts';
import { buildProgram } from './program.ts';
import { applyUserConfig } from './user-config/apply-user-config.ts';
import { printJson } from './view/print-json.ts';
import { helpWidth, wrapHelp } from './view/text/wrap-help.ts';

const args = process.argv.slice(2);
const program = buildProgram();
for (const command of [program, ...program.commands, ...program.commands.flatMap((each) => each.commands)])
  throwErrors(command);

exitWithReader();
program.hook('preAction', (_program, command) => applyUserConfig(command, process.env));

try {
  await program.parseAsync(args, { from: 'user' });
} catch (error) {
  const failure = asCliError(error);
  if (failure) process.exitCode = await report(failure);
}

/** By default commander prints its errors and exits. Here they are thrown, so that all errors look the same. */
function throwErrors(command: Command): void {
  command
    .configureHelp({ minWidthToWrap: 20 })
    .exitOverride()
    .configureOutput({
      outputError: () => {},
      getOutHelpWidth: () => helpWidth(process.stdout),
      writeOut: (text) => process.stdout.write(wrapHelp(text, process.stdout)),
    });
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
  const below = command?.commands.find((each) => each.name() === args[1]);
  const help = ['fettle', command?.name(), below?.name(), '--help'].filter(Boolean).join(' ');
  return usageError(message.endsWith('.') ? message : `${message}.`, `Run '${help}'.`);
}

/** A bug is reported with its stack trace, and with --json still as an object. */
function asBug(error: unknown): CliError {
  const { stack, message } = error instanceof Error ? error : new Error(String(error));
  const advice = 'This is a bug in Fettle. Please report it with the command that you ran.';
  return new CliError('internal', stack ?? message, { exitCode: exitCodes.failed, advice });
}

/** Secrets from files. A config that cannot be read has none to show. */
async function listSecrets(): Promise<(string | undefined)[]> {
  try {
    const { readConfig } = await import('./config.ts');
    return readConfig().secrets;
  } catch {
    return [];
  }
}

async function report(failed: CliError): Promise<ExitCode> {
  const { redactError } = await import('./view/redact-error.ts');
  const error = redactError(failed, { environment: process.env, secrets: await listSecrets() });
  if (args.includes('--json')) {
    const { errorObject, toRunResult } = await import('./commands/run/run-result.ts');
    const isRun = args.find((arg) => !arg.startsWith('-')) === 'run';
    printJson(isRun ? toRunResult(undefined, error) : { error: errorObject(error) });
  }
  const { harmless } = await import('./view/harmless.ts');
  const { wrapText } = await import('./view/text/text-width.ts');
  const { isTTY, columns = 80 } = process.stderr;
  const width = isTTY ? columns : Number.POSITIVE_INFINITY;
  const advice = error.exitCode === exitCodes.interrupted ? [] : wrapText(error.advice, width - 2);
  const lines = [...wrapText(`fettle: ${error.message}`, width), ...advice.map((line) => `  ${line}`)];
  process.stderr.write(harmless(`${lines.join('\n')}\n`));
  return error.exitCode;
}
