import { elsewhere, fetchesTool, installs, refuseAll, runScript, settings } from './package-scripts.ts';
import type { Program } from './rule.ts';

export const bun: Program = {
  names: ['bun'],
  reason: 'runs the scripts, tests and tools of the repository, which the sandbox contains',
  flags: '--version -v --silent',
  refused: {
    ...refuseAll(installs, 'install i add a remove rm update link outdated patch'),
    ...refuseAll(fetchesTool, 'create init upgrade'),
    ...refuseAll(settings, '-e --eval -p --print -c --config --env-file'),
    ...refuseAll(elsewhere, '--cwd'),
  },
  subcommands: [
    {
      names: ['test'],
      reason: 'runs the tests, which the sandbox contains',
      flags:
        '--coverage --bail[=number] --only --todo -u --update-snapshots -t=pattern --test-name-pattern=pattern --timeout=number',
      operands: ['read...'],
      match: ['bun test', 'bun test src/a.test.ts', "bun test -t 'adds'"],
      notMatch: ['bun test /etc', 'bun test --preload=/x', 'bun test --watch'],
    },
    {
      names: ['run'],
      reason: 'runs a script of package.json',
      ...runScript,
      flags: '--silent',
      minOperands: 1,
      match: ['bun run build', 'bun run test --coverage'],
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
  match: ['bun --version'],
  notMatch: ['bun install', 'bun add evil', 'bun -e 1', 'bun script.ts'],
};
