import type { Program } from './rule.ts';

export const make: Program = {
  names: ['make', 'gmake'],
  reason: 'runs targets of the Makefile, which the sandbox contains',
  flags: `
    -n -k -s -B -i --dry-run --keep-going --silent --always-make -v --version --no-print-directory
    -j[=number] --jobs[=number] -C=folder --directory=folder -f=read --file=read -O[=name]
  `,
  operands: ['script...'],
  refused: { '--eval': { reason: 'inline code is not allowed', instead: 'call a target' } },
  match: ['make', 'make test lint', 'make -j4 build', 'make -C packages/a test', 'make -n build'],
  notMatch: [
    'make SHELL=/bin/evil',
    'make --eval=x',
    'make -f /etc/x',
    'make -C / test',
    'make CC=evil build',
    'make -E x',
  ],
};
