// What each package manager is called with. Argument lists, never a shell.
import type { PackageManager } from './find-client.ts';

export interface InstallRequest {
  /** Names, each with a version or without; added to the manifest. */
  packages: string[];
  dev: boolean;
  /** Whether the lockfile may be brought in line with the manifest. */
  update: boolean;
}

interface ClientCommands {
  frozen: string[];
  update: string[];
  add: string[];
  dev: string;
  /** Runs the scripts of the named packages and of no others. */
  rebuild: string[];
}

const npmRebuild = ['npm', 'rebuild'];

const commandsOf: Record<PackageManager, ClientCommands> = {
  npm: {
    frozen: ['npm', 'ci'],
    update: ['npm', 'install'],
    add: ['npm', 'install'],
    dev: '--save-dev',
    rebuild: npmRebuild,
  },
  pnpm: {
    // pnpm 10 takes `ignoreScripts` of pnpm-workspace.yaml over the environment, and an option over both.
    frozen: ['pnpm', 'install', '--frozen-lockfile', '--ignore-scripts'],
    update: ['pnpm', 'install', '--no-frozen-lockfile', '--ignore-scripts'],
    add: ['pnpm', 'add', '--ignore-workspace-root-check', '--ignore-scripts'],
    dev: '--save-dev',
    // "All builds" are those of the packages that are named; without it pnpm asks the repository's own list.
    rebuild: ['pnpm', 'rebuild', '--config.dangerouslyAllowAllBuilds=true'],
  },
  'yarn-classic': {
    frozen: ['yarn', 'install', '--frozen-lockfile', '--non-interactive'],
    update: ['yarn', 'install', '--non-interactive'],
    add: ['yarn', 'add', '--non-interactive', '--ignore-workspace-root-check'],
    dev: '--dev',
    // Yarn cannot be told which scripts to run; npm can, and comes with node.
    rebuild: npmRebuild,
  },
  yarn: {
    // Its setting for scripts leaves out those of the project itself; this mode does not.
    frozen: ['yarn', 'install', '--immutable', '--mode=skip-build'],
    update: ['yarn', 'install', '--no-immutable', '--mode=skip-build'],
    add: ['yarn', 'add', '--mode=skip-build'],
    dev: '--dev',
    rebuild: npmRebuild,
  },
};

export function installCommand(
  manager: PackageManager,
  { packages, dev, update, hasLockfile }: InstallRequest & { hasLockfile: boolean },
): string[] {
  const commands = commandsOf[manager];
  if (packages.length > 0) return [...commands.add, ...(dev ? [commands.dev] : []), ...packages];
  return hasLockfile && !update ? commands.frozen : commands.update;
}

export function rebuildCommand(manager: PackageManager, names: string[]): string[] {
  return [...commandsOf[manager].rebuild, ...names];
}
