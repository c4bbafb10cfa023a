import type { RepositoryConfig } from '@fettle/contract/repository-config';
import type { RepositoryRoot } from './repository-root.ts';

export type Check = keyof RepositoryConfig['commands'];

/** In the order of the config. */
export const checks: readonly Check[] = ['typecheck', 'lint', 'format', 'test', 'build'];

export interface FoundCommand {
  command: string;
  /** The file that the command comes from. */
  source: string;
  /** A command that exits with 0 if the program is available. */
  probe: string;
}

export interface FoundSetup extends FoundCommand {
  /** The registry that it downloads from. */
  registry: 'npm' | 'pypi' | 'go';
}

export interface Discovered {
  setup: FoundSetup[];
  commands: Partial<Record<Check, FoundCommand>>;
  /** Notes for the user about commands that were not used. */
  remarks: string[];
}

export interface Ecosystem {
  name: string;
  find(root: RepositoryRoot): Promise<Discovered>;
}

export const nothingDiscovered = (): Discovered => ({ setup: [], commands: {}, remarks: [] });
