import { GitleaksError } from '@fettle/secrets/gitleaks';
import type { Config } from '../../config.ts';
import { findScanner } from '../../stack/require-scanner.ts';
import type { Diagnosis } from './diagnosis.ts';

/** Checks that gitleaks finds a planted secret: a broken one would let everything pass. */
export async function examineGitleaks(
  config: Pick<Config, 'home' | 'defaultHome' | 'gitleaks'>,
): Promise<Diagnosis> {
  const name = 'gitleaks';
  try {
    return { name, state: 'ok', message: await findScanner(config) };
  } catch (error) {
    if (!(error instanceof GitleaksError)) throw error;
    const message = `${error.message} Without gitleaks nothing can be pushed.`;
    return { name, state: 'problem', message, advice: error.advice };
  }
}
