import { join } from 'node:path';
import type { Work } from '../attempt/attempt.ts';

/** Where the worker keeps its own bare copy of a repository. */
export function mirrorIn(home: string, repositoryId: string): string {
  return join(home, 'mirrors', `${repositoryId}.git`);
}

export function mirrorOf({ claim, config }: Work): string {
  return mirrorIn(config.home, claim.source.repositoryId);
}
