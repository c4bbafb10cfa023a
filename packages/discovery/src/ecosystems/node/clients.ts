/** The commands of each package manager. */
import type { PackageManager } from '../../package-client.ts';

export interface Client {
  program: string;
  /** Installs exactly what the lockfile names. */
  frozen: string;
  /** Installs from a lockfile that does not match the manifest any more. */
  outdated: string;
  /** Installs without a lockfile, and writes none where the manager can do that. */
  unlocked: string;
  test: string;
  run: string;
  /** Starts a program of an installed package. */
  exec: string;
  /** Runs a script in each package of a workspace that has it. Undefined if the manager fails where one lacks it. */
  everywhere?: (script: string) => string;
}

export const clients: Record<PackageManager, Client> = {
  npm: {
    program: 'npm',
    frozen: 'npm ci',
    outdated: 'npm install',
    unlocked: 'npm install --no-package-lock',
    test: 'npm test',
    run: 'npm run',
    exec: 'npx --no-install',
    everywhere: (script) => `npm run ${script} --workspaces --if-present`,
  },
  pnpm: {
    program: 'pnpm',
    frozen: 'pnpm install --frozen-lockfile',
    outdated: 'pnpm install --no-frozen-lockfile',
    unlocked: 'pnpm install --no-lockfile',
    test: 'pnpm test',
    run: 'pnpm run',
    exec: 'pnpm exec',
    everywhere: (script) => `pnpm -r --no-bail --if-present run ${script}`,
  },
  'yarn-classic': {
    program: 'yarn',
    frozen: 'yarn install --frozen-lockfile',
    outdated: 'yarn install',
    unlocked: 'yarn install --no-lockfile',
    test: 'yarn test',
    run: 'yarn run',
    exec: 'yarn run',
  },
  yarn: {
    program: 'yarn',
    frozen: 'yarn install --immutable',
    outdated: 'yarn install --no-immutable',
    unlocked: 'yarn install --no-immutable',
    test: 'yarn test',
    run: 'yarn run',
    exec: 'yarn run',
    everywhere: (script) => `yarn workspaces foreach -A run ${script}`,
  },
  // `bun test` starts Bun's own test runner, not the script.
  bun: {
    program: 'bun',
    frozen: 'bun install --frozen-lockfile',
    outdated: 'bun install',
    unlocked: 'bun install --no-save',
    test: 'bun run test',
    run: 'bun run',
    exec: 'bun x --no-install',
    everywhere: (script) => `bun run --filter '*' ${script}`,
  },
};
