import { expect, test } from 'vitest';
import { rootOf } from '../testing/root-of.ts';
import { readWorkflows } from './read-workflows.ts';

const path = '.github/workflows/ci.yml';
const read = async (text: string, name = path) =>
  (await readWorkflows(rootOf({ [name]: text }))).map(({ line, folder }) => [folder, line]);

test('the plain commands of jobs that run on a push or a pull request', async () => {
  const commands = await readWorkflows(
    rootOf({
      [path]: `on: [push]
defaults: { run: { working-directory: ./web } }
jobs:
  check:
    steps:
      - uses: actions/checkout@v4
      - run: |
          npm ci &&  npm run lint
          npm run build \\
            --if-present
          npm test -- \${{ matrix.shard }}
          if [ -f x ]; then npm run evil; fi
          echo "$SECRET" | tee x
      - run: npm test
        working-directory: .
      - run: npm run up
        working-directory: ../elsewhere
  release: { steps: [{ run: npm publish }] }
  deploying: { environment: production, steps: [{ run: npm run ship }] }
`,
    }),
  );
  const place = { source: path, job: `${path} check` };
  expect(commands).toEqual([
    { line: 'npm ci', folder: 'web', ...place },
    { line: 'npm run lint', folder: 'web', ...place },
    { line: 'npm run build --if-present', folder: 'web', ...place },
    { line: 'npm test', folder: '', ...place },
  ]);
});

const jobs = 'jobs: { a: { steps: [{ run: npm test }] } }';

test.each([
  ['a schedule', `on: { schedule: [{ cron: '0 0 * * *' }] }\n${jobs}`],
  ['a tag', `on: { push: { tags: ['v*'] } }\n${jobs}`],
  ['a closed pull request', `on: { pull_request: { types: [closed] } }\n${jobs}`],
  ['broken YAML', 'on: [push'],
  ['another shape', 'on: push\njobs: [a, b]'],
  ['odd steps', 'on: push\njobs: { a: { steps: [1, null, { run: [x] }] } }'],
  ['too large a file', `on: push\n${jobs}\n${'#'.repeat(200_000)}`],
])('%s tells nothing', async (_, text) => {
  expect(await read(text)).toEqual([]);
});

test.each(['on: push', 'on: { push: { branches: [main], tags: [v1] } }', 'on: { pull_request: null }'])(
  '%s',
  async (on) => {
    expect(await read(`${on}\n${jobs}`)).toEqual([['', 'npm test']]);
    expect(await read(`${on}\n${jobs}`, '.github/workflows/nested/ci.yml')).toEqual([]);
  },
);
