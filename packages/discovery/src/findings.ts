import type { RepositoryConfig } from '@fettle/contract/repository-config';
import type { RepositoryRoot } from './repository-root.ts';

export type Check = keyof RepositoryConfig['commands'];

/** In the order in which people read them. */
export const checks: readonly Check[] = ['typecheck', 'lint', 'format', 'test', 'build'];

export interface FoundCommand {
  command: string;
  /** Which file says so. */
  source: string;
  /** Ends with exit code 0 where the command can be run at all. */
  probe: string;
}

export interface FoundSetup extends FoundCommand {
  /** The registry that it fetches from. */
  registry: 'npm' | 'pypi' | 'go';
}

export interface Findings {
  setup: FoundSetup[];
  commands: Partial<Record<Check, FoundCommand>>;
  /** What a person should know about what was not found. */
  remarks: string[];
}

export interface Ecosystem {
  name: string;
  find(root: RepositoryRoot): Promise<Findings>;
}

export const noFindings = (): Findings => ({ setup: [], commands: {}, remarks: [] });
