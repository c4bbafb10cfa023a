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
import type { Form, Program } from './rule.ts';

/** Only before the script's name: everything after it belongs to the script. */
const form: Form = {
  flags: `
    -r --recursive -s --silent -w --workspace-root --if-present --parallel --stream --no-bail
    --sequential --color --no-color --aggregate-output --filter=pattern -F=pattern --reporter=name
    --loglevel=name --workspace-concurrency=number -C=start --dir=start --prefix=start
  `,
};

export const pnpm: Program = {
  names: ['pnpm'],
  reason: 'runs the scripts and tools of the repository, which the sandbox contains',
  ...form,
  flags: `${form.flags} -v --version`,
  operands: ['node-tool...'],
  stopsAtOperand: true,
  refused: {
    ...refuseAll(elsewhere, '-g'),
    ...refuseAll(
      settings,
      '--config --userconfig --script-shell --node-options config setup env patch store',
    ),
    ...refuseAll(installs, 'install i add remove rm update up import link rebuild fetch audit dedupe prune'),
    ...refuseAll(registry, 'publish login outdated view pack deploy server'),
    ...refuseAll(fetchesTool, 'dlx create init'),
  },
  subcommands: [
    {
      names: ['test', 't', 'tst', 'start'],
      reason: 'runs the script of this name',
      ...scriptArguments,
      match: [
        'pnpm test',
        'pnpm -r test',
        'pnpm --filter @a/b test src/x.test.ts',
        'pnpm test -- -t foo',
        'pnpm test --run',
      ],
      notMatch: ['pnpm -C /tmp test', 'pnpm --script-shell=x test'],
    },
    {
      names: ['run', 'run-script'],
      reason: 'runs a script of package.json, or lists them',
      ...form,
      ...runScript,
      match: ['pnpm run build', 'pnpm run -r lint --fix', 'pnpm --filter web run build'],
      notMatch: ['pnpm run ../x', 'pnpm run --script-shell=x build'],
    },
    {
      names: usualScripts,
      reason: 'runs a script of package.json that has a usual name',
      ...scriptArguments,
      match: ['pnpm build', 'pnpm lint --fix', 'pnpm typecheck', 'pnpm -r build'],
      notMatch: ['pnpm --dir /x build', 'pnpm biuld'],
    },
    {
      names: ['exec'],
      reason: 'runs a tool that is installed in the repository, checked by that tool’s own rule',
      ...form,
      operands: ['node-tool...'],
      stopsAtOperand: true,
      minOperands: 1,
      match: ['pnpm exec tsc --noEmit', 'pnpm exec vitest run'],
      notMatch: ['pnpm exec evil', 'pnpm exec -c id', 'pnpm exec'],
    },
    {
      names: ['ls', 'list', 'why', 'root', 'bin'],
      reason: 'lists the installed packages',
      ...form,
      flags: `
        ${form.flags} --json --long --parseable -P -D --prod --dev
        --depth=count
      `,
      operands: ['name...'],
      match: ['pnpm ls', 'pnpm why zod', 'pnpm list --depth=0'],
      notMatch: ['pnpm ls -g', 'pnpm why --dir /x'],
    },
  ],
  match: [
    'pnpm --version',
    'pnpm -C packages/a test',
    'pnpm --dir packages/a exec tsc -p ../b',
    'pnpm vitest run',
    'pnpm tsc --noEmit',
    'pnpm eslint . --fix',
  ],
  notMatch: [
    'pnpm -C .. test',
    'pnpm -C a run -C .. build',
    'pnpm exec -C packages/a tsc -p ../../../b',
    'pnpm -C packages/a exec tsc -p ../../../b',
    'pnpm evil',
    'pnpm install',
    'pnpm dlx evil',
    'pnpm create evil',
    'pnpm --config.x=1 test',
  ],
};
