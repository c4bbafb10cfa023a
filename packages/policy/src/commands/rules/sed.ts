import type { Program } from './rule.ts';

export const sed: Program = {
  names: ['sed'],
  reason:
    'prints or edits lines of files; the script is parsed to make sure that it runs no program and writes no other file',
  flags: `
    -n -E -r -s -u -z --quiet --silent --regexp-extended --separate --debug --posix -i[=suffix]
    --in-place[=suffix] -e=sed-script --expression=sed-script
  `,
  operands: ['sed-script', 'read...'],
  firstUnless: ['-e', '--expression'],
  writesWith: ['-i', '--in-place'],
  minOperands: 1,
  minUnless: ['-e', '--expression'],
  refused: {
    '-f': { reason: 'a script in a file is not checked', instead: 'give the script with -e' },
    '--file': { reason: 'a script in a file is not checked', instead: 'give the script with -e' },
  },
  match: [
    "sed -n '1,50p' src/a.ts",
    "sed -i 's/foo/bar/g' src/a.ts",
    "sed -i.bak -e '3d' -e '/x/,/y/d' a.txt",
    "sed -E 's#a(b)#\\1#' a b",
    "sed '/^$/d;s/ *$//' a",
    "sed '2i\\  text' a",
    "sed -i '72r new.py' a.py",
  ],
  notMatch: [
    "sed '1e id' a",
    "sed 's/a/b/e' a",
    "sed 's/a/b/w .git/config' a",
    "sed 'r /etc/passwd' a",
    "sed '1r .env' a",
    "sed 'R x' a",
    "sed 'w out' a",
    "sed -n '/x/w out' a",
    'sed -f script.sed a',
    "sed -i '' 's/a/b/' a",
    "sed -i 's/a/b/' .git/config",
    "sed --in-place=/etc/* 's/a/b/' a",
  ],
};
