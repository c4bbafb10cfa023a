import { findGitleaks, GitleaksError, scanTextsWithGitleaks } from '@fettle/secrets/gitleaks';
import type { Config } from '../../config.ts';
import type { Finding } from './diagnosis.ts';

/** Asked whether it finds something, since one that runs and finds nothing lets everything through. */
export async function examineGitleaks({
  home,
  defaultHome,
  gitleaks,
}: Pick<Config, 'home' | 'defaultHome' | 'gitleaks'>): Promise<Finding> {
  const name = 'gitleaks';
  try {
    // A scan of nothing but its own canary.
    if (gitleaks !== undefined) await scanTextsWithGitleaks([], { program: gitleaks });
    const found = gitleaks ?? (await findGitleaks(home).catch(() => findGitleaks(defaultHome)));
    return { name, state: 'ok', message: found };
  } catch (error) {
    if (!(error instanceof GitleaksError)) throw error;
    const message = `${error.message} Without it nothing can be pushed.`;
    return { name, state: 'problem', message, advice: error.advice };
  }
}
