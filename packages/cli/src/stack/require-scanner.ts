/** Looks for gitleaks before anything is started: without it nothing can be pushed, and model turns would be wasted. */
import { findGitleaks, GitleaksError, scanTextsWithGitleaks } from '@fettle/secrets/gitleaks';
import { CliError, exitCodes } from '../cli-error.ts';
import type { Config } from '../config.ts';

type ScannerSettings = Pick<Config, 'home' | 'defaultHome' | 'gitleaks'>;

/** Returns the path of a gitleaks that finds a planted secret, in the places where the worker looks. */
export async function findScanner({ home, defaultHome, gitleaks }: ScannerSettings): Promise<string> {
  if (gitleaks === undefined) return findGitleaks(home).catch(() => findGitleaks(defaultHome));
  // Scanning no texts still scans the planted secret.
  await scanTextsWithGitleaks([], { program: gitleaks });
  return gitleaks;
}

export async function requireScanner(settings: ScannerSettings): Promise<string> {
  try {
    return await findScanner(settings);
  } catch (error) {
    if (!(error instanceof GitleaksError)) throw error;
    const message = `${error.message.replace(/\.$/, '')}, so no change could be proposed`;
    throw new CliError('no_scanner', message, { exitCode: exitCodes.unavailable, advice: error.advice });
  }
}
