import {
  elsewhere,
  fetchesTool,
  installs,
  refuseAll,
  registry,
  runScript,
  settings,
} from './package-scripts.ts';
import type { Program } from './rule.ts';

const permissions = '-A --allow-all -P --no-lock --frozen[=name] --no-check[=name] --quiet -q';

export const deno: Program = {
  names: ['deno'],
  reason: 'runs the tasks, tests and checks of the repository, which the sandbox contains',
  flags: '--version -v',
  refused: {
    ...refuseAll(installs, 'install i add remove uninstall outdated update cache'),
    ...refuseAll(fetchesTool, 'create init upgrade jupyter x'),
    ...refuseAll(registry, 'publish deploy'),
    ...refuseAll(settings, 'eval repl serve --config -c --import-map --env-file'),
    ...refuseAll(elsewhere, '--cwd'),
  },
  subcommands: [
    {
      names: ['test'],
      reason: 'runs the tests, which the sandbox contains',
      flags: `${permissions} --filter=pattern --fail-fast[=number] --parallel --doc --no-run --permit-no-files --reporter=name --unstable`,
      operands: ['read...'],
      match: ['deno test', 'deno test -A src/a_test.ts', "deno test --filter 'adds'", 'deno test --parallel'],
      notMatch: ['deno test /etc', 'deno test --watch', 'deno test --config /x'],
    },
    {
      names: ['lint'],
      reason: 'runs the linter',
      flags: '--quiet -q --json --compact --fix',
      operands: ['read...'],
      match: ['deno lint', 'deno lint src'],
      notMatch: ['deno lint /etc', 'deno lint --config /x'],
    },
    {
      names: ['fmt'],
      reason: 'runs the formatter',
      flags: '--check --quiet -q --ext=name --ignore=pattern',
      operands: ['write...'],
      match: ['deno fmt --check', 'deno fmt src/a.ts'],
      notMatch: ['deno fmt /etc', 'deno fmt --config /x'],
    },
    {
      names: ['check'],
      reason: 'checks types',
      flags: '--quiet -q --all --doc --frozen[=name] --no-lock',
      operands: ['read...'],
      match: ['deno check', 'deno check .', 'deno check src/a.ts'],
      notMatch: ['deno check --reload', 'deno check /etc/x.ts'],
    },
    {
      names: ['task'],
      reason: 'runs a task of deno.json, or lists them',
      ...runScript,
      flags: '--quiet -q --recursive -r',
      match: ['deno task', 'deno task test', 'deno task lint --fix'],
      notMatch: ['deno task ../x', 'deno task --cwd /x test'],
    },
  ],
  match: ['deno --version'],
  notMatch: ['deno install', 'deno run -A x.ts', 'deno eval 1', 'deno publish'],
};
