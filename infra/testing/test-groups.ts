/** The groups of test files. Each is a vitest project: `npx vitest run --project faults`. */
import { existsSync, globSync } from 'node:fs';

export interface TestGroup {
  name: string;
  include: string[];
  /** What these tests prove, for the list of groups that were not run. */
  about: string;
  /** Files that belong to another group. */
  exclude?: string[];
  /** Whether `npm test` runs it; `npm run test:all` runs every group. */
  quick?: boolean;
}

/**
 * Tests of single packages that take long: thousands of command lines, sandboxes, registries that misbehave, outages,
 * the fake GitHub.
 */
const slowFiles = [
  'packages/sandbox/test/*.test.ts',
  'packages/policy/src/commands/parse/compare-with-bash.test.ts',
  'packages/agent/src/tools/{recorded,hostile}-commands.test.ts',
  'packages/registry/src/upstream/misbehaving-registry.test.ts',
  'packages/registry/src/clients/lockfile-addresses.test.ts',
  'packages/queue/src/code-queue.test.ts',
  'packages/fake-github/src/**/*.test.ts',
];

export const testGroups: TestGroup[] = [
  {
    name: 'unit',
    include: [
      '{packages,services}/*/src/**/*.test.ts',
      'infra/**/*.test.ts',
      'test/architecture.test.ts',
      'test/corpora/*.test.ts',
    ],
    exclude: slowFiles,
    about: 'single packages and services, architecture rules',
    quick: true,
  },
  {
    name: 'promises',
    include: ['test/promises/*.test.ts'],
    about: 'one flow for each promise of the README',
    quick: true,
  },
  {
    name: 'slow',
    include: slowFiles,
    about: 'single packages, where it takes long: sandboxes, thousands of command lines, outages',
  },
  {
    name: 'flows',
    include: ['test/flows/*.test.ts', 'packages/cli/test/*.test.ts'],
    about: 'operations from the request to the outcome, and the command line',
  },
  {
    name: 'faults',
    include: ['test/faults/**/*.test.ts'],
    about: 'kills, outages and full disks; every crash point; random faults',
  },
  {
    name: 'isolation',
    include: ['test/isolation/*.test.ts'],
    about: 'escape attempts on the other sandbox backends',
  },
  {
    name: 'engine',
    include: ['services/sandbox-broker/test/*.test.ts'],
    about: 'the sandbox broker on a container engine (FETTLE_TEST_ENGINE)',
  },
  {
    name: 'installing',
    include: ['test/installing/*.test.ts'],
    about: 'package managers inside sandboxes',
  },
  {
    name: 'bubblewrap',
    include: [
      'packages/sandbox/test/bubblewrap/*.test.ts',
      ...(hasBubblewrap() ? ['packages/sandbox/test/{changes,receive-tree,run,run-plan*}.test.ts'] : []),
    ],
    about: 'how bubblewrap starts and ends, and the requests to a sandbox once more inside it',
  },
];

export const excluded = ['**/node_modules/**', '**/generated/**'];

export function listTestFiles({ include, exclude = [] }: TestGroup): string[] {
  return globSync(include, { exclude: [...excluded, ...exclude] });
}

function hasBubblewrap(): boolean {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(`${folder}/bwrap`));
}
