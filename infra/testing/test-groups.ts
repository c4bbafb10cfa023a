/** The groups of test files. Each is a vitest project: `npx vitest run --project faults`. */
import { existsSync, globSync } from 'node:fs';

export interface TestGroup {
  name: string;
  include: string[];
  /** What these tests prove, for the list of groups that were not run. */
  about: string;
  /** Whether `npm test` runs it; `npm run test:all` runs every group. */
  quick?: boolean;
}

export const testGroups: TestGroup[] = [
  {
    name: 'unit',
    include: [
      '{packages,services}/*/src/**/*.test.ts',
      'packages/sandbox/test/*.test.ts',
      'infra/**/*.test.ts',
      'test/architecture.test.ts',
      'test/corpora/*.test.ts',
    ],
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

export function listTestFiles({ include }: TestGroup): string[] {
  return globSync(include, { exclude: excluded });
}

function hasBubblewrap(): boolean {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(`${folder}/bwrap`));
}
