// Locks the home that it is given, says so, and keeps it until it is ended.
import { CliError } from '../cli-error.ts';
import { lockHome } from '../stack/home-lock.ts';

try {
  lockHome(process.argv[2] ?? '');
  process.stdout.write('locked\n');
  setInterval(() => {}, 1_000);
} catch (error) {
  if (!(error instanceof CliError)) throw error;
  process.stdout.write(`${error.code}\n`);
  process.exitCode = error.exitCode;
}
