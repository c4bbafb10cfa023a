import type { Program, Refused } from './rule.ts';

const runsPrograms: Refused = {
  reason: 'it would run a program for each file',
  instead: 'use grep -rn, rg or a glob to work on many files at once',
};
const deletes: Refused = {
  reason: 'what it takes away is not in the line',
  instead: 'list with find, then name the files for rm',
};
const writesFile: Refused = { reason: 'it writes to a file on the side', instead: 'use > file' };

export const searchPrograms: Program[] = [
  {
    names: ['grep', 'egrep', 'fgrep'],
    reason: 'searches files of the workspace',
    flags: `
      -r -R -n -i -l -L -c -v -w -x -E -F -P -G -o -h -H -q -s -a -I -z -Z -b -T -U -y --recursive
      --dereference-recursive --line-number --ignore-case --files-with-matches
      --files-without-match --count --invert-match --word-regexp --line-regexp --extended-regexp
      --fixed-strings --perl-regexp --only-matching --no-filename --with-filename --quiet --silent
      --no-messages --text --null --byte-offset -e=pattern --regexp=pattern -f=read --file=read
      -A=number -B=number -C=number -m=number --after-context=number --before-context=number
      --context=number --max-count=number --include=pattern --exclude=pattern
      --exclude-dir=pattern --color[=name] --colour[=name] --binary-files=name -d=name
    `,
    numberFlag: true,
    operands: ['pattern', 'read...'],
    firstUnless: ['-e', '--regexp', '-f', '--file'],
    minOperands: 1,
    minUnless: ['-e', '--regexp', '-f', '--file'],
    match: [
      'grep -rn TODO src',
      "grep -rnE 'a|b' --include=*.ts .",
      'grep -A3 -B 2 x a.ts',
      'grep -e -x a.ts',
      'grep -l x src/*.ts',
    ],
    notMatch: [
      'grep x /etc/passwd',
      'grep -f /etc/passwd x',
      'grep --fil=/etc/passwd x a',
      'grep -rn x ../',
      'grep foo* src',
      'grep',
    ],
  },
  {
    names: ['rg'],
    reason: 'searches files of the workspace',
    flags: `
      -n -i -l -c -v -w -x -F -P -o -H -I -q -s -S -U -N -u -L -a -p -0 -. --files
      --files-with-matches --files-without-match --hidden --no-hidden --no-ignore --no-ignore-vcs
      --count --count-matches --ignore-case --smart-case --case-sensitive --fixed-strings
      --word-regexp --line-regexp --only-matching --pcre2 --multiline --multiline-dotall --heading
      --no-heading --line-number --no-line-number --with-filename --no-filename --json --stats
      --vimgrep --column --follow --invert-match --quiet --trim --type-list --null --text
      --no-messages --no-config --version --pretty --unrestricted --glob-case-insensitive
      -e=pattern --regexp=pattern -f=read --file=read -g=pattern --glob=pattern --iglob=pattern
      -t=name --type=name -T=name --type-not=name --type-add=pattern -A=number -B=number -C=number
      --after-context=number --before-context=number --context=number -m=number --max-count=number
      -d=number --max-depth=number -M=number --max-columns=number --max-filesize=count -j=number
      --threads=number -r=text --replace=text --color=name --colors=text --sort=name --sortr=name
      --context-separator=text --ignore-file=read
    `,
    operands: ['pattern', 'read...'],
    firstUnless: ['-e', '--regexp', '-f', '--file', '--files', '--type-list', '--version'],
    minOperands: 1,
    minUnless: ['-e', '--regexp', '-f', '--file', '--files', '--type-list', '--version'],
    refused: {
      '--pre': runsPrograms,
      '--hostname-bin': runsPrograms,
      '-z': runsPrograms,
      '--search-zip': runsPrograms,
    },
    match: ["rg -n 'foo' src", "rg --files -g '*.ts'", 'rg -tts -l x', "rg -n 'a' -g '!dist' -C3"],
    notMatch: [
      'rg --files -g *.ts',
      'rg --pre id x',
      'rg --pre=id x',
      'rg x /etc',
      'rg -z x',
      'rg --hostname-bin=id x',
      'rg',
    ],
  },
  {
    names: ['find'],
    reason: 'lists files of the workspace',
    wordFlags: true,
    flags: `
      -L -P -H -not -a -o -and -or -print -print0 -prune -empty -depth -quit -ls -xdev -mount
      -daystart -follow -readable -writable -executable -true -false -noleaf -name=pattern
      -iname=pattern -path=pattern -ipath=pattern -wholename=pattern -regex=pattern
      -iregex=pattern -lname=pattern -regextype=name -type=name -maxdepth=number -mindepth=number
      -size=count -mtime=count -mmin=count -atime=count -ctime=count -cmin=count -links=count
      -perm=text -newer=read -newermt=text -samefile=read -printf=text
    `,
    operands: ['read...'],
    literals: ['!', '(', ')', ','],
    refused: {
      '-exec': runsPrograms,
      '-execdir': runsPrograms,
      '-ok': runsPrograms,
      '-okdir': runsPrograms,
      '-delete': deletes,
      '-fprint': writesFile,
      '-fprint0': writesFile,
      '-fprintf': writesFile,
      '-fls': writesFile,
    },
    match: [
      "find . -name '*.ts' -not -path './node_modules/*'",
      'find src -type f -mtime -1',
      'find . \\( -name a -o -name b \\) -prune -o -type f -print',
      'find . -type f -size +100k',
    ],
    notMatch: [
      'find . -exec id \\;',
      'find . -delete',
      'find / -name x',
      'find . -newer /etc/shadow',
      'find . -name *.ts',
      'find . -fprintf a b',
      'find -files0-from x',
      'find -- . -exec id +',
    ],
  },
];
