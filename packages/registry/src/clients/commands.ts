/** The argument lists for each package manager. No shell is involved. */
import type { PackageManager } from './find-client.ts';

export interface InstallRequest {
  /** Names with an optional version, which are added to the manifest. */
  packages: string[];
  dev: boolean;
  /** Whether the install may update the lockfile to match the manifest. */
  update: boolean;
}

interface ClientCommands {
  frozen: string[];
  update: string[];
  add: string[];
  dev: string;
  /** Runs the install scripts of the named packages only. */
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
    // pnpm 10 prefers `ignoreScripts` in pnpm-workspace.yaml to the environment, and an option to both.
    frozen: ['pnpm', 'install', '--frozen-lockfile', '--ignore-scripts'],
    update: ['pnpm', 'install', '--no-frozen-lockfile', '--ignore-scripts'],
    add: ['pnpm', 'add', '--ignore-workspace-root-check', '--ignore-scripts'],
    dev: '--save-dev',
    // Allows the builds of the named packages. Without it pnpm uses the list in the repository.
    rebuild: ['pnpm', 'rebuild', '--config.dangerouslyAllowAllBuilds=true'],
  },
  'yarn-classic': {
    frozen: ['yarn', 'install', '--frozen-lockfile', '--non-interactive'],
    update: ['yarn', 'install', '--non-interactive'],
    add: ['yarn', 'add', '--non-interactive', '--ignore-workspace-root-check'],
    dev: '--dev',
    // Yarn cannot run the scripts of selected packages. npm can, and comes with Node.
    rebuild: npmRebuild,
  },
  yarn: {
    // enableScripts=false does not cover the scripts of the project itself. This mode does.
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
