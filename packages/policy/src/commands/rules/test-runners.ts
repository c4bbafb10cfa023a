import type { Form, Program, Refused } from './rule.ts';

const watches: Refused = {
  reason: 'watching never ends',
  instead: 'leave it out: "vitest run" and plain jest end by themselves',
};
const opensPort: Refused = { reason: 'no debugger can attach to it', instead: 'leave it out' };

const vitest: Form = {
  wordFlags: true,
  flags: `
    --run --coverage -u --update --globals --dom --passWithNoTests --allowOnly --logHeapUsage -v
    --no-coverage --no-color --no-file-parallelism --no-isolate --typecheck --hideSkippedTests
    --expandSnapshotDiff --version --single-thread --no-threads --disable-console-intercept
    --no-watch --watch=false --json --filesOnly -t=pattern --testNamePattern=pattern -c=read
    --config=read -r=read --root=read --dir=read --reporter=module --outputFile=write
    --bail[=number] --retry=number --environment=name --pool=name --project=pattern
    --exclude=pattern --testTimeout=number --hookTimeout=number --maxWorkers=count
    --minWorkers=count --maxConcurrency=number --changed[=ref] --shard=name --mode=name
    --silent[=name] --coverage.reporter=name --coverage.include=pattern --coverage.provider=name
    --coverage.enabled[=name] --coverage.all --coverage.exclude=pattern --typecheck.enabled --typecheck.only
    --typecheck.ignoreSourceErrors --typecheck.include=pattern --typecheck.exclude=pattern
    --poolOptions.threads.singleThread --poolOptions.forks.singleFork --sequence.concurrent --sequence.seed=number --sequence.shuffle[=name]
    --fileParallelism[=name]
  `,
  operands: ['argument...'],
  refused: {
    '-w': watches,
    '--watch': watches,
    '--ui': watches,
    '--inspect': opensPort,
    '--inspect-brk': opensPort,
    '--api': opensPort,
    '--browser': opensPort,
  },
};
export const testRunners: Program[] = [
  {
    names: ['vitest'],
    toolOf: 'node',
    reason: 'runs the tests, which the sandbox contains',
    ...vitest,
    refused: {
      ...vitest.refused,
      watch: watches,
      dev: watches,
      init: { reason: 'it asks questions', instead: 'use write_file' },
    },
    subcommands: [
      {
        names: ['run', 'related', 'list', 'bench'],
        reason: 'runs the tests once',
        ...vitest,
        match: [
          'vitest run',
          'vitest run src/a.test.ts -t "adds two"',
          'vitest run --coverage --reporter=verbose',
          'npx vitest related src/a.ts --run',
          'vitest run --typecheck.enabled=false --coverage.enabled=false',
        ],
        notMatch: [
          'vitest run --watch',
          'vitest run --config /etc/x',
          'vitest run --inspect',
          'vitest run --typecheck.checker=/tmp/x',
          'vitest run --poolOptions.forks.execArgv=--require=/tmp/x',
          'vitest run --outputFile=/tmp/x',
        ],
      },
    ],
    match: ['vitest --run', 'vitest src/a.test.ts'],
    notMatch: ['vitest watch', 'vitest --ui', 'vitest --reportr=x'],
  },
  {
    names: ['jest'],
    toolOf: 'node',
    reason: 'runs the tests, which the sandbox contains',
    wordFlags: true,
    flags: `
      --ci --coverage --no-coverage -i --runInBand -u --updateSnapshot --verbose --silent
      --no-cache -b --passWithNoTests --listTests --onlyChanged -o --findRelatedTests
      --detectOpenHandles --forceExit --json --no-color --showConfig --clearCache --runTestsByPath
      --expand -e --logHeapUsage --errorOnDeprecated --randomize --version --watchAll=false
      --watch=false -t=pattern --testNamePattern=pattern --testPathPattern=pattern
      --testPathPatterns=pattern --testPathIgnorePatterns=pattern --testMatch=pattern -c=module
      --config=module --rootDir=read --roots=read -w=count --maxWorkers=count --testTimeout=number
      --reporters=module --outputFile=write --env=module --testEnvironment=module
      --selectProjects=name --projects=read --coverageDirectory=write --coverageReporters=name
      --collectCoverageFrom=pattern --changedSince=ref --shard=name --seed=count --bail[=number]
    `,
    operands: ['argument...'],
    refused: {
      '--watch': watches,
      '--watchAll': watches,
      '--init': { reason: 'it asks questions', instead: 'use write_file' },
    },
    match: [
      'jest',
      'jest src/a.test.ts -t "adds"',
      'jest --ci --coverage',
      'npx jest --runInBand --testPathPattern=auth',
      'jest --watchAll=false',
    ],
    notMatch: [
      'jest --watch',
      'jest --watchAll',
      'jest --config /etc/x',
      'jest --config sub/../../x',
      `jest --config '{"globalSetup":"/x"}'`,
      'jest --globalSetup=/tmp/x',
      'jest --outputFile=/tmp/x',
    ],
  },
  {
    names: ['mocha', 'ava', 'tap', 'playwright', 'cypress'],
    toolOf: 'node',
    reason: 'runs the tests, which the sandbox contains',
    wordFlags: true,
    flags: `
      --exit --bail -b --recursive --parallel --serial -s --verbose -v --headless --list
      --forbid-only --no-parallel --version -g=pattern --grep=pattern -f=pattern --fgrep=pattern
      -m=pattern --match=pattern --timeout=count -t=count -R=module --reporter=module -r=module
      --require=module --config=read -c=read --project=name --workers=count --spec=pattern
      --extension=name --headed --retries=number --max-failures=number --repeat-each=number
    `,
    operands: ['argument...'],
    refused: {
      '--watch': watches,
      '-w': watches,
      '--inspect': opensPort,
      install: { reason: 'browsers come with the image', instead: 'leave it out' },
      open: watches,
    },
    match: [
      'mocha test/*.js',
      "npx mocha --grep 'adds'",
      'npx playwright test login.spec.ts --project=chromium',
    ],
    notMatch: ['mocha --watch', 'mocha -r /tmp/x.js', 'playwright install', 'mocha --inspect'],
  },
];
