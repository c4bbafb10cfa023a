import { defineConfig } from 'vitest/config';
import { excluded, testGroups } from './infra/testing/test-groups.ts';

export default defineConfig({
  test: {
    watch: false,
    passWithNoTests: false,
    // One more than the two cores of CI: tests of flows and faults often wait for a lease or a process.
    maxWorkers: 3,
    globalSetup: ['infra/testing/no-leaks.ts'],
    reporters: ['default', './infra/testing/report-groups.ts'],
    projects: testGroups.map((group) => ({
      test: {
        name: group.name,
        include: group.include,
        exclude: [...excluded, ...(group.exclude ?? [])],
        pool: 'forks' as const,
        // Node runs the files with its own type stripping, so the tests load what the services load.
        // Module mocks would need vite's module runner; we have none.
        experimental: { viteModuleRunner: false, nodeLoader: false },
        // Unit tests share a process, which loads our modules once instead of once per file.
        isolate: group.name !== 'unit' && group.name !== 'slow',
        env: group.name === 'bubblewrap' ? { FETTLE_TEST_BACKEND: 'bubblewrap' } : {},
        // Time limits only end tests that hang. Tests start real processes, which is slow on a busy machine.
        testTimeout: 300_000,
        hookTimeout: 300_000,
      },
    })),
  },
});
