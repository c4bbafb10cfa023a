import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const generated = ['**/node_modules/**', '**/generated/**'];
const hasBubblewrap = (process.env.PATH ?? '').split(':').some((folder) => existsSync(`${folder}/bwrap`));
const architecture = 'test/architecture.test.ts';

// Files run by Node itself, with its own type stripping: what the tests load is what the services load, and
// nothing is transformed on the way. Module mocks would need that; we have none.
const shared = {
  experimental: { viteModuleRunner: false, nodeLoader: false },
  pool: 'forks' as const,
  exclude: generated,
  hookTimeout: 60_000,
};

export default defineConfig({
  test: {
    watch: false,
    passWithNoTests: false,
    // Most of the time a test of flows or faults waits: for a lease, a pause, a process that starts.
    maxWorkers: 3,
    globalSetup: ['infra/testing/no-leaks.ts'],
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['packages/**/*.test.ts', 'services/**/*.test.ts', 'infra/**/*.test.ts', architecture],
          testTimeout: 60_000,
        },
      },
      {
        // The same requests through walls: where bubblewrap is missing, its own tests say so.
        test: {
          ...shared,
          name: 'bubblewrap',
          include: hasBubblewrap
            ? ['packages/sandbox/test/{changes,receive-tree,run,run-plan*}.test.ts']
            : [],
          env: { FETTLE_TEST_BACKEND: 'bubblewrap' },
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'flows',
          include: ['test/**/*.test.ts'],
          exclude: [...generated, architecture],
          testTimeout: 180_000,
        },
      },
    ],
  },
});
