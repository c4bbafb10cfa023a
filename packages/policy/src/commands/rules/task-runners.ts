import { elsewhere, refuseAll, settings } from './package-scripts.ts';
import type { Program, Refused } from './rule.ts';

const fetches: Refused = {
  reason: 'it would fetch programs and run them',
  instead: 'run a task with mise run, or the program itself',
};
const endless: Refused = { reason: 'watching never ends', instead: 'leave it out' };

/** They run the tasks that the repository defines, as make does. */
export const taskRunners: Program[] = [
  {
    names: ['mise'],
    reason: 'runs tasks of the repository, which the sandbox contains',
    flags: '--version -V -q --quiet --silent',
    refused: {
      ...refuseAll(
        fetches,
        'install i use u upgrade up exec x self-update activate en shell sync generate watch w',
      ),
      ...refuseAll(settings, 'settings set unset trust plugins plugin p config cfg env e alias'),
      ...refuseAll(elsewhere, '-C --cd'),
    },
    subcommands: [
      {
        names: ['run', 'r'],
        reason: 'runs a task of the repository',
        flags:
          '-q --quiet -S --silent -r --raw -f --force -n --dry-run -c --continue-on-error -j=number --jobs=number -o=name --output=name',
        operands: ['script', 'argument...'],
        stopsAtOperand: true,
        minOperands: 1,
        match: ['mise run build', 'mise run test -- -run TestA', 'mise r test:ci', 'mise run --quiet lint'],
        notMatch: [
          'mise run',
          'mise run ../x',
          'mise run --cd /tmp build',
          'mise run -t node@22 build',
          'mise run --shell "bash -c" build',
        ],
      },
      {
        names: [
          'tasks',
          'tasks ls',
          'tasks deps',
          'tasks info',
          'ls',
          'list',
          'current',
          'version',
          'doctor',
        ],
        reason: 'lists tasks and tools',
        flags: '--json -J --no-header --hidden -x --extended -c --current -i --installed',
        operands: ['name...'],
        refused: refuseAll(settings, 'add edit run'),
        match: ['mise tasks', 'mise tasks info build', 'mise ls --current'],
        notMatch: ['mise tasks edit x', 'mise tasks add x -- id', 'mise ls --x'],
      },
    ],
    match: ['mise --version'],
    notMatch: [
      'mise install',
      'mise exec -- id',
      'mise x node@22 -- id',
      'mise trust',
      'mise -C /tmp run x',
      'mise evil',
    ],
  },
  {
    names: ['just'],
    reason: 'runs recipes of the repository, which the sandbox contains',
    wordFlags: true,
    flags: `
      -l --list --summary --version -V -n --dry-run -q --quiet -v --verbose --no-deps --one
      --show=script -s=script --usage=script -f=read --justfile=read
    `,
    operands: ['script', 'argument...'],
    stopsAtOperand: true,
    refused: refuseAll(settings, '-c --command --shell --shell-arg --set --evaluate --init --edit -e'),
    match: ['just', 'just --list', 'just test', 'just build --release', 'just --dry-run lint'],
    notMatch: [
      'just -c id',
      'just --shell sh test',
      'just --justfile /etc/x',
      'just ../x/test',
      'just -d /tmp test',
    ],
  },
  {
    names: ['task'],
    reason: 'runs tasks of the repository, which the sandbox contains',
    wordFlags: true,
    flags: `
      -l --list -a --list-all --version -n --dry -f --force -s --silent -v --verbose -p --parallel
      --status --summary -c=name --color=name -C=number --concurrency=number
    `,
    operands: ['script...'],
    afterDashes: 'argument...',
    refused: {
      ...refuseAll(elsewhere, '-d --dir -t --taskfile -g --global'),
      '-w': endless,
      '--watch': endless,
    },
    match: ['task', 'task build test', 'task --list', 'task test -- -run TestA'],
    notMatch: [
      'task -d /tmp build',
      'task -t /tmp/x.yml build',
      'task --watch build',
      'task ../x',
      'task X=$Y',
    ],
  },
];
