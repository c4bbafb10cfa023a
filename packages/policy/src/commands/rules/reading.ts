import type { Program } from './rule.ts';

const shown = { notMatch: ['cat /etc/passwd', 'cat .git/config'] };

export const readingPrograms: Program[] = [
  {
    names: ['cat'],
    reason: 'prints files of the workspace',
    flags: '-n -b -s -A -e -E -t -T -v --number --show-all --squeeze-blank',
    operands: ['read...'],
    match: ['cat package.json', 'cat -n src/a.ts src/b.ts', 'cat src/*.ts'],
    notMatch: [...shown.notMatch, 'cat -', 'cat ../x', 'cat -x a'],
  },
  {
    names: ['head', 'tail'],
    reason: 'prints the beginning or the end of files',
    flags: '-q -v --quiet --verbose -z -n=count --lines=count -c=count --bytes=count',
    numberFlag: true,
    operands: ['read...'],
    refused: {
      '-f': { reason: 'following a file never ends', instead: 'leave -f out' },
      '-F': { reason: 'following a file never ends', instead: 'leave -F out' },
      '--follow': { reason: 'following a file never ends', instead: 'leave --follow out' },
    },
    match: ['head -20 a.ts', 'tail -n +5 a.ts', 'head -c 100 a b', 'tail -n20 log.txt'],
    notMatch: ['tail -f log.txt', 'head /etc/passwd', 'tail --pid=1 a'],
  },
  {
    names: ['ls'],
    reason: 'lists folders of the workspace',
    flags: `
      -1 -a -A -l -h -R -t -r -S -d -F -p -s -i -n -g -o -X -c -u -U -m -x -C -L -G --all
      --almost-all --recursive --human-readable --full-time --group-directories-first --directory
      --reverse --classify --color[=name] --sort=name --time=name --time-style=name -I=pattern
      --ignore=pattern
    `,
    operands: ['read...'],
    match: ['ls', 'ls -la src', 'ls -R --color=never', 'ls src/*.ts'],
    notMatch: ['ls /proc/self/fd', 'ls ~', 'ls ..', 'ls --hide'],
  },
  {
    names: ['pwd'],
    reason: 'prints the current folder',
    flags: '-P -L',
    match: ['pwd'],
    notMatch: ['pwd x', 'pwd --x'],
  },
  {
    names: ['wc'],
    reason: 'counts lines, words and bytes',
    flags: '-l -w -c -m -L --lines --words --bytes --chars',
    operands: ['read...'],
    match: ['wc -l src/a.ts', 'wc'],
    notMatch: ['wc --files0-from=x', 'wc /etc/hosts'],
  },
  {
    names: ['stat', 'file'],
    reason: 'reports the type of a file',
    flags: '-b -L -i --brief --mime-type -c=text --format=text --printf=text',
    operands: ['read...'],
    minOperands: 1,
    match: ['stat -c %s dist/a.js', 'file src/a.ts'],
    notMatch: ['stat /', 'file -m magic a', 'file'],
  },
  {
    names: ['du'],
    reason: 'reports file sizes',
    flags: `
      -s -h -a -c -k -m -b --summarize --human-readable --apparent-size -d=number
      --max-depth=number --exclude=pattern
    `,
    operands: ['read...'],
    match: ['du -sh dist', 'du -h -d 1 .'],
    notMatch: ['du -sh /', 'du --files0-from=x'],
  },
  {
    names: ['tree'],
    reason: 'lists folders of the workspace',
    flags: `
      -a -d -f -i -s -h -C -n -F --dirsfirst --noreport --gitignore --prune -L=number -I=pattern
      -P=pattern --filelimit=number
    `,
    operands: ['read...'],
    match: ['tree -L 2 -I node_modules', 'tree src'],
    notMatch: ['tree /', 'tree -o out.txt', 'tree -L x'],
  },
  {
    names: ['basename', 'dirname'],
    reason: 'splits path names, without accessing files',
    operands: ['text...'],
    minOperands: 1,
    match: ['basename src/a.ts .ts', 'dirname a/b'],
    notMatch: ['basename', 'dirname --x a'],
  },
  {
    names: ['realpath'],
    reason: 'resolves a path',
    flags: '--relative-to=read',
    operands: ['read...'],
    minOperands: 1,
    match: ['realpath --relative-to=. src/a.ts'],
    notMatch: ['realpath /etc', 'realpath'],
  },
  {
    names: ['which'],
    reason: 'checks whether a program exists',
    flags: '-a',
    operands: ['name...'],
    minOperands: 1,
    match: ['which node'],
    notMatch: ['which', 'which -x node'],
  },
  {
    names: ['date'],
    reason: 'prints the time',
    flags: '-u -I[=name] -R --utc --iso-8601[=name] -d=text --date=text',
    operands: ['date-format'],
    match: ['date', 'date -u -Iseconds', 'date +%s', "date -u '+%Y-%m-%d %H:%M'", "date -d '1 day ago' +%F"],
    notMatch: [
      'date -s now',
      'date -f x',
      'date 010100002020',
      'date --file=/etc/passwd',
      'date -r /etc/passwd',
    ],
  },
  {
    names: ['md5sum', 'sha1sum', 'sha256sum', 'cksum'],
    reason: 'prints checksums of files',
    operands: ['read...'],
    match: ['sha256sum dist/a.js', 'cat a | md5sum'],
    notMatch: ['sha256sum /etc/passwd', 'md5sum -c list', 'md5sum .env'],
  },
  {
    names: ['cmp'],
    reason: 'compares two files',
    flags: '-s -l -b --silent --quiet --verbose',
    operands: ['read', 'read'],
    minOperands: 2,
    match: ['cmp a.bin b.bin', 'cmp -s a b'],
    notMatch: ['cmp a', 'cmp a /etc/passwd'],
  },
  {
    names: ['od', 'xxd', 'hexdump'],
    reason: 'shows the bytes of a file',
    flags: '-c -x -b -v -C -p -u -A=name -t=name -N=number -j=count -n=number -s=count -l=number -g=number',
    // xxd writes to a second operand.
    operands: ['read'],
    match: ['od -c a.bin', 'xxd -l 64 a.bin', 'hexdump -C a.bin | head'],
    notMatch: ['xxd -r a b', 'xxd a b', 'od /etc/passwd', 'hexdump -f x a'],
  },
];
