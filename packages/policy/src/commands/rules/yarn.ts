import {
  elsewhere,
  fetchesTool,
  installs,
  refuseAll,
  registry,
  runScript,
  scriptArguments,
  settings,
  usualScripts,
} from './package-scripts.ts';
import type { Program } from './rule.ts';

const inWorkspaces = {
  ...refuseAll(
    installs,
    'add install remove up upgrade upgrade-interactive import link unlink unplug rebuild dedupe audit',
  ),
  ...refuseAll(fetchesTool, 'exec dlx node create init'),
  ...refuseAll(settings, 'config set plugin policies cache patch patch-commit constraints autoclean'),
  ...refuseAll(registry, 'publish login logout npm owner tag team access version pack'),
  // yarn would parse the argument again, as a whole command.
  ...refuseAll(elsewhere, 'workspace workspaces global'),
};

export const yarn: Program = {
  names: ['yarn'],
  reason: 'runs the scripts and tools of the repository, which the sandbox contains',
  flags: '-s --silent -v --version --cwd=start',
  operands: ['node-tool...'],
  stopsAtOperand: true,
  minOperands: 1,
  minUnless: ['-v', '--version'],
  refused: {
    ...refuseAll(elsewhere, 'global'),
    ...refuseAll(settings, 'config set plugin policies cache --use-yarnrc'),
    ...refuseAll(installs, 'install add remove up upgrade import link rebuild audit dedupe'),
    ...refuseAll(registry, 'publish login logout npm outdated info pack version owner tag'),
    ...refuseAll(fetchesTool, 'dlx create init exec'),
  },
  subcommands: [
    {
      names: ['test', 'start', ...usualScripts],
      reason: 'runs the script of this name',
      ...scriptArguments,
      match: ['yarn test', 'yarn lint --fix', 'yarn build', 'yarn test -t foo src/a.test.ts'],
      notMatch: ['yarn --cwd /tmp test', 'yarn tset'],
    },
    {
      names: ['run'],
      reason: 'runs a script of package.json, or lists them',
      ...runScript,
      flags: '-s --silent',
      match: ['yarn run build', 'yarn run'],
      notMatch: ['yarn run ../x', 'yarn run --cwd x build'],
    },
    {
      names: ['workspace'],
      reason: 'runs a script in one package of the repository',
      operands: ['name', 'script', 'argument...'],
      stopsAtOperand: true,
      minOperands: 2,
      refused: inWorkspaces,
      match: ['yarn workspace @a/b test', 'yarn workspace web build --watch=false'],
      notMatch: [
        'yarn workspace',
        'yarn workspace ../x test',
        'yarn workspace a workspace b exec id',
        'yarn workspace a config set x y',
      ],
    },
    {
      names: ['workspaces run', 'workspaces list', 'workspaces foreach'],
      reason: 'runs a script in every package of the repository',
      flags: '-A -p -v -t --all --parallel --verbose --topological --json',
      operands: ['script', 'argument...'],
      stopsAtOperand: true,
      refused: inWorkspaces,
      match: ['yarn workspaces run test', 'yarn workspaces foreach -A run build'],
      notMatch: [
        'yarn workspaces foreach -A workspace a exec id',
        'yarn workspaces foreach -A exec id',
        'yarn workspaces foreach --exec x',
        'yarn workspaces',
      ],
    },
    {
      names: ['why', 'list'],
      reason: 'lists the installed packages',
      flags: '--json -R --recursive --depth=number --pattern=pattern',
      operands: ['name...'],
      match: ['yarn why react', 'yarn list --depth=0'],
      notMatch: ['yarn why --cwd x', 'yarn list --x'],
    },
  ],
  match: ['yarn --version', 'yarn --cwd packages/a test', 'yarn tsc --noEmit', 'yarn eslint src'],
  notMatch: [
    'yarn',
    'yarn add evil',
    'yarn install',
    'yarn dlx evil',
    'yarn evil',
    'yarn config set x y',
    'yarn node -p 1',
  ],
};
