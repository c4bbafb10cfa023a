import { fetchesTool, installs, refuseAll, runScript, settings } from './package-scripts.ts';
import type { Program } from './rule.ts';

export const bun: Program = {
  names: ['bun'],
  reason: 'runs the scripts, tests and tools of the repository, which the sandbox contains',
  flags: '--version -v --silent --bun -b --no-install --cwd=start',
  operands: ['code-file', 'argument...'],
  stopsAtOperand: true,
  minOperands: 1,
  minUnless: ['--version', '-v'],
  refused: {
    ...refuseAll(installs, 'install i add a remove rm update link outdated patch pm why audit'),
    ...refuseAll(fetchesTool, 'create init upgrade exec repl'),
    ...refuseAll(settings, '-e --eval -p --print -c --config --env-file'),
  },
  subcommands: [
    {
      names: ['test'],
      reason: 'runs the tests, which the sandbox contains',
      flags:
        '--coverage --bail[=number] --only --todo -u --update-snapshots --filter=pattern -t=pattern --test-name-pattern=pattern --timeout=number',
      operands: ['read...'],
      match: ['bun test', 'bun test src/a.test.ts', "bun test -t 'adds'"],
      notMatch: ['bun test /etc', 'bun test --preload=/x', 'bun test --watch'],
    },
    {
      names: ['run'],
      reason: 'runs a script of package.json',
      ...runScript,
      flags: '--silent --cwd=start --filter=pattern -F=pattern --bun',
      minOperands: 1,
      match: [
        'bun run build',
        'bun run --cwd web build',
        'bun run test --coverage',
        "bun run --filter '*' test",
      ],
      notMatch: ['bun run ../x', 'bun run --cwd /x build', 'bun run'],
    },
    {
      names: ['x'],
      reason: 'runs a tool that is installed in the repository, checked by that tool’s own rule',
      flags: '--no-install --silent',
      operands: ['node-tool...'],
      stopsAtOperand: true,
      minOperands: 1,
      needs: { flags: ['--no-install'], refused: { ...fetchesTool, instead: 'add --no-install' } },
      match: ['bun x --no-install tsc --noEmit'],
      notMatch: ['bun x evil', 'bun x --no-install evil', 'bun x tsc'],
    },
  ],
  match: ['bun --version', 'bun src/cli.ts --help', 'bun scripts/release.ts'],
  notMatch: [
    'bun',
    'bun install',
    'bun add evil',
    'bun -e 1',
    'bun evil',
    'bun /tmp/x.ts',
    'bun ../x.ts',
    "bun exec 'id'",
    'bun repl',
    'bun --preload=/x a.ts',
  ],
};
