/** Locks the given home, prints that it did, and holds it until it is killed. */
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
