import type { RepositoryConfig } from '@fettle/contract/repository-config';
import type { RepositoryRoot } from './repository-root.ts';
import type { WorkflowCommand } from './workflows/read-workflows.ts';

export type Check = keyof RepositoryConfig['commands'];

/** In the order of the config. */
export const checks: readonly Check[] = ['typecheck', 'lint', 'format', 'test', 'build'];

export interface FoundCommand {
  command: string;
  /** The file that the command comes from. */
  source: string;
  /** A command that exits with 0 if the program is available. */
  probe: string;
  /** What the probe looks for, in words: `Rust 1.85 or later`. Without it, the programs of the probe are named. */
  needs?: string;
  /** Commands that do the same with other programs, best first, for a sandbox without the program of this one. */
  instead?: FoundCommand[];
}

export interface FoundSetup extends FoundCommand {
  /** The registry that it downloads from. */
  registry: 'npm' | 'pypi' | 'go';
  /** Runs in its place if the lockfile does not match the manifest any more. */
  ifOutdated?: string;
}

export interface Discovered {
  setup: FoundSetup[];
  commands: Partial<Record<Check, FoundCommand>>;
  /** The checks that need the build before them. */
  afterBuild?: Check[];
  /** Notes for the user about commands that were not used. */
  remarks: string[];
}

export interface Ecosystem {
  name: string;
  /** `workflows` are the commands of the repository's GitHub workflows. */
  find(root: RepositoryRoot, workflows: WorkflowCommand[]): Promise<Discovered>;
}

export const nothingDiscovered = (): Discovered => ({ setup: [], commands: {}, remarks: [] });
