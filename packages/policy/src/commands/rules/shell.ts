import type { Program } from './rule.ts';

export const shellPrograms: Program[] = [
  {
    names: ['cd'],
    reason: 'changes to a folder of the workspace, for the rest of the line',
    dashesAreText: true,
    operands: ['folder'],
    match: ['cd src && ls', 'cd', 'cd packages/a && cat ../b/x.ts'],
    notMatch: [
      'cd /',
      'cd ..',
      'cd -',
      'cd ~',
      'cd a b',
      'cd src | ls',
      'cd src; cat ../x',
      'cd *',
      'cd .git && ls',
    ],
  },
  {
    names: ['true', 'false'],
    reason: 'does nothing',
    match: ['true', 'npm test || true'],
    notMatch: ['true x', 'npm test || :'],
  },
  {
    names: ['sleep'],
    reason: 'waits, within the time limit of the call',
    operands: ['count'],
    minOperands: 1,
    match: ['sleep 1', 'sleep 0.5'],
    notMatch: ['sleep', 'sleep x'],
  },
  {
    names: ['test', '['],
    reason: 'checks whether a file exists, or compares words',
    wordFlags: true,
    flags: `
      -eq -ne -lt -le -gt -ge -a -o -e=read -f=read -d=read -s=read -r=read -w=read -x=read
      -L=read -h=read -z=text -n=text
    `,
    operands: ['text...'],
    literals: ['!', ']', '=', '==', '!='],
    match: ['test -f package.json && echo yes', '[ -d src ] || mkdir src', '[ ! -e x ]'],
    notMatch: ['test -f /etc/passwd', '[ -d .git/x ]', 'test -v x', '[ -f *.ts ]'],
  },
];
