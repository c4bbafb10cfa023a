import { installs, refuseAll } from './package-scripts.ts';
import type { Program, Refused } from './rule.ts';

const inline: Refused = {
  reason: 'inline code is harder to review in the record than a file',
  instead: 'write it to a file with write_file, and run: python that_file.py',
};

export const python: Program = {
  // The last ones are where set-up creates the virtual environment.
  names: ['python', 'python3', '.venv/bin/python', '.venv/bin/python3', 'venv/bin/python'],
  toolOf: 'python',
  reason: 'runs a file or a tool of the workspace, which the sandbox contains',
  wordFlags: true,
  flags: '-V --version -u -B -O -OO -s -E -I -v -b -q -W=name -X=name',
  operands: ['read', 'argument...'],
  stopsAtOperand: true,
  minOperands: 1,
  minUnless: ['-V', '--version'],
  refused: { '-c': inline, '-i': { reason: 'there is no terminal', instead: 'write a file, and run it' } },
  subcommands: [
    {
      names: ['-m'],
      reason: 'runs a tool that is installed in the repository, checked by that tool’s own rule',
      operands: ['python-tool...'],
      stopsAtOperand: true,
      minOperands: 1,
      refused: refuseAll(installs, 'pip ensurepip venv virtualenv pipx'),
      match: ['python -m pytest -q', 'python3 -m unittest discover', 'python -u -m mypy src'],
      notMatch: ['python -m http.server', 'python -m evil', 'python -m pip install evil', 'python -m'],
    },
  ],
  match: [
    'python script.py --flag x',
    'python3 -V',
    'python -u tools/gen.py',
    '.venv/bin/python -m pytest -q',
  ],
  notMatch: [
    "python -c 'import os'",
    'python',
    'python -',
    'python /tmp/x.py',
    'python -i x.py',
    'python ../x.py',
    '/usr/bin/python x.py',
    '../.venv/bin/python x.py',
  ],
};
