import type { Program } from './rule.ts';

export const textPrograms: Program[] = [
  {
    names: ['echo', 'printf'],
    reason: 'prints its own words; into a file, the file is judged',
    flags: '-n -e -E -ne -en',
    dashesAreText: true,
    operands: ['text...'],
    match: ['echo hello', 'echo -n "- a list"', 'echo "---" > notes.md', "printf '%s\\n' a b"],
    notMatch: ['echo $HOME', 'echo x > /etc/motd', 'echo x > .git/config'],
  },
  {
    names: ['sort'],
    reason: 'sorts lines',
    flags: `
      -n -r -u -f -b -h -V -g -d -i -M -R -s -z -c -m --numeric-sort --reverse --unique
      --ignore-case --human-numeric-sort --version-sort --stable --check -k=text --key=text
      -t=text --field-separator=text -o=write --output=write
    `,
    operands: ['read...'],
    match: ['sort -rn', 'sort -t: -k2,2n a.txt', 'sort -u -o a.txt a.txt'],
    notMatch: [
      'sort --compress-program=id a',
      'sort -o /etc/x a',
      'sort -o.git/config a',
      'sort -T /tmp a',
      'sort --outp=x a',
    ],
  },
  {
    names: ['uniq'],
    reason: 'drops repeated lines',
    flags: '-c -d -u -i -D -z --count --repeated --unique --ignore-case -f=number -s=number -w=number',
    operands: ['read', 'write'],
    match: ['uniq -c', 'uniq a.txt b.txt'],
    notMatch: ['uniq a .git/config', 'uniq a b c', 'uniq *', 'uniq --x'],
  },
  {
    names: ['diff'],
    reason: 'compares two files or folders',
    flags: `
      -u -r -q -b -w -B -i -N -a -y -s -c -p -E -Z --recursive --brief --side-by-side
      --ignore-all-space --ignore-space-change --ignore-blank-lines --strip-trailing-cr -U=number
      -C=number --unified[=number] --color[=name] -x=pattern --exclude=pattern -W=number
      --width=number
    `,
    operands: ['read', 'read'],
    minOperands: 2,
    match: ['diff -u a.ts b.ts', 'diff -rq src dist', 'diff /dev/null a'],
    notMatch: ['diff a /etc/passwd', 'diff --to-file=/etc a', 'diff a'],
  },
  {
    names: ['cut'],
    reason: 'takes columns out of lines',
    flags: `
      -s -z --only-delimited --complement -d=text --delimiter=text -f=text --fields=text -c=text
      --characters=text -b=text --output-delimiter=text
    `,
    operands: ['read...'],
    match: ['cut -d: -f1', "cut -d ' ' -f 2 a.txt", 'cut -c1-10'],
    notMatch: ['cut -f1 /etc/passwd', 'cut --x'],
  },
  {
    names: ['tr'],
    reason: 'replaces characters',
    flags: '-d -s -c -C -t -cd --delete --squeeze-repeats --complement',
    operands: ['pattern', 'pattern'],
    minOperands: 1,
    match: ["tr -d '\\n'", 'tr a-z A-Z'],
    notMatch: ['tr', 'tr a b c', 'tr a-z *'],
  },
  {
    names: ['nl', 'tac', 'rev'],
    reason: 'prints files with numbers, or the other way round',
    flags: '-ba -b=name -w=number -v=number -s=text',
    operands: ['read...'],
    match: ['nl -ba src/a.ts', 'tac a.txt'],
    notMatch: ['nl /etc/passwd', 'tac --x'],
  },
  {
    names: ['comm', 'paste', 'join'],
    reason: 'puts files side by side',
    flags: '-1 -2 -3 -12 -13 -23 -s -d=text',
    operands: ['read...'],
    minOperands: 1,
    match: ['comm -12 a.txt b.txt', 'paste -sd, a.txt'],
    notMatch: ['comm a /etc/x', 'paste'],
  },
  {
    names: ['jq'],
    reason: 'reads JSON',
    flags: `
      -r -c -s -n -e -S -j -a -M --raw-output --compact-output --slurp --sort-keys --exit-status
      --tab --indent=number
    `,
    operands: ['pattern', 'read...'],
    minOperands: 1,
    match: ["jq -r '.scripts | keys[]' package.json", 'jq .version package.json'],
    notMatch: ['jq . /etc/x', 'jq -f x.jq a.json', 'jq --rawfile a /etc/passwd . b', 'jq'],
  },
  {
    names: ['seq'],
    reason: 'counts',
    flags: '-s=text -w',
    operands: ['count', 'count', 'count'],
    minOperands: 1,
    match: ['seq 10', 'seq 1 2 9'],
    notMatch: ['seq', 'seq x'],
  },
];
