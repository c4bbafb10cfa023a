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
  bun: {
    frozen: ['bun', 'install', '--frozen-lockfile', '--ignore-scripts'],
    update: ['bun', 'install', '--ignore-scripts'],
    add: ['bun', 'add', '--ignore-scripts'],
    dev: '--dev',
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

/** For a repository without a lockfile, which must not get one. Yarn 2 and later always write one: it is no change. */
const withoutLockfile: Record<PackageManager, { install: string[]; add: string[] }> = {
  npm: { install: ['--no-package-lock'], add: ['--no-package-lock'] },
  pnpm: { install: ['--no-lockfile'], add: ['--no-lockfile'] },
  'yarn-classic': { install: ['--no-lockfile'], add: ['--no-lockfile'] },
  yarn: { install: [], add: [] },
  // With this option, bun would not change the manifest either.
  bun: { install: ['--no-save'], add: [] },
};

export function installCommand(
  manager: PackageManager,
  { packages, dev, update, hasLockfile }: InstallRequest & { hasLockfile: boolean },
): string[] {
  const commands = commandsOf[manager];
  // Who asks for an update asks for the lockfile, too.
  const without = hasLockfile || update ? { install: [], add: [] } : withoutLockfile[manager];
  if (packages.length > 0)
    return [...commands.add, ...without.add, ...(dev ? [commands.dev] : []), ...packages];
  return hasLockfile && !update ? commands.frozen : [...commands.update, ...without.install];
}

export function rebuildCommand(manager: PackageManager, names: string[]): string[] {
  return [...commandsOf[manager].rebuild, ...names];
}
