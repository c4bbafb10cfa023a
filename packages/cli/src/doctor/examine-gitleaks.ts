import { findGitleaks, GitleaksError } from '@fettle/secrets/gitleaks';
import type { Config } from '../config.ts';
import type { Finding } from './finding.ts';

/** Asked whether it finds something, since one that runs and finds nothing lets everything through. */
export async function examineGitleaks({
  home,
  defaultHome,
}: Pick<Config, 'home' | 'defaultHome'>): Promise<Finding> {
  const name = 'gitleaks';
  try {
    const found = await findGitleaks(home).catch(() => findGitleaks(defaultHome));
    return { name, state: 'ok', message: found };
  } catch (error) {
    if (!(error instanceof GitleaksError)) throw error;
    const message = `${error.message} Without it nothing can be pushed.`;
    return { name, state: 'warning', message, advice: error.advice };
  }
}
