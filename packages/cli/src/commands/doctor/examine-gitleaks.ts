import { findGitleaks, GitleaksError, scanTextsWithGitleaks } from '@fettle/secrets/gitleaks';
import type { Config } from '../../config.ts';
import type { Diagnosis } from './diagnosis.ts';

/** Checks that gitleaks finds a planted secret: a broken one would let everything pass. */
export async function examineGitleaks({
  home,
  defaultHome,
  gitleaks,
}: Pick<Config, 'home' | 'defaultHome' | 'gitleaks'>): Promise<Diagnosis> {
  const name = 'gitleaks';
  try {
    // Scanning no texts still scans the planted secret.
    if (gitleaks !== undefined) await scanTextsWithGitleaks([], { program: gitleaks });
    const found = gitleaks ?? (await findGitleaks(home).catch(() => findGitleaks(defaultHome)));
    return { name, state: 'ok', message: found };
  } catch (error) {
    if (!(error instanceof GitleaksError)) throw error;
    const message = `${error.message} Without gitleaks nothing can be pushed.`;
    return { name, state: 'problem', message, advice: error.advice };
  }
}
