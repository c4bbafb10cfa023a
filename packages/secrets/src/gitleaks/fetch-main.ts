/** The set-up step that downloads gitleaks: `node packages/secrets/src/gitleaks/fetch-main.ts`. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { ensureGitleaks } from './find-gitleaks.ts';
import { GitleaksError } from './gitleaks-error.ts';

try {
  const home = resolve(process.env.FETTLE_HOME || join(homedir(), '.fettle'));
  process.stdout.write(`${await ensureGitleaks(home)}\n`);
} catch (error) {
  if (!(error instanceof GitleaksError)) throw error;
  process.stderr.write(`${error.message}\n${error.advice}\n`);
  process.exitCode = 1;
}
