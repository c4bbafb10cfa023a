/** Programs that are started by a path: files of the repository, and what it has installed. */
import { containedRules } from './contained/contained-rules.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { Program } from './rules/rule.ts';
import { type ProgramTable, refusedPrograms } from './rules/rule-table.ts';

export const PROGRAM_FILE = 'workspace program';

/** Code of the repository gets any arguments, as after `node` and `python`. */
export const programFile: Program = {
  names: [PROGRAM_FILE],
  reason: 'runs a program of the repository, which the sandbox contains',
  operands: ['argument...'],
  stopsAtOperand: true,
  dashesAreText: true,
  match: ['./tests/runtests.py a.b', 'bin/test src/a.py', './node_modules/.bin/some-tool --flag'],
  notMatch: [
    './build.sh',
    './git status',
    '../x',
    '/usr/local/bin/x',
    './a/../b',
    '.git/hooks/x',
    '~/x',
    "'./a b'",
  ],
};

const PLAIN_PATH = /^(\.\/)?\.?[\w@][\w@.+-]*(\/\.?[\w@][\w@.+-]*)+$|^\.\/\.?[\w@][\w@.+-]*$/;
const SHELL_SCRIPT = /\.(sh|bash|zsh|fish|ksh|csh|bat|cmd|ps1|exe|com)$/i;
/** They come as packages, too, and are of no use without a network. */
const network = new Set(
  containedRules.flatMap(({ rule, programs }) => (rule === 'contained/network' ? programs : [])),
);
const INTERPRETER = /^(python|node|ruby|perl|php|lua|bash|sh|zsh|dash|busybox|env|git|pip)[\d.]*$/;
/** Common names of scripts, although a shell knows them, too. */
const notMistaken = new Set(['test', 'bin', 'run', 'watch', 'install', 'task', 'just']);
const TOOL = /^(?:\.\/)?(?:[\w@.+-]+\/)*?(?:(node_modules\/\.bin)|\.?venv\/bin)\/([\w.-]+)$/;

export function installedToolOf(path: string): { name: string; kind: 'node' | 'python' } | undefined {
  const [, node, name] = TOOL.exec(path) ?? [];
  return name === undefined ? undefined : { name, kind: node === undefined ? 'python' : 'node' };
}

export function findProgramFileFault(path: string, programs: ProgramTable): Refusal | undefined {
  const name = path.split('/').at(-1) ?? '';
  const tool = installedToolOf(path);
  if (path.startsWith('/') || !PLAIN_PATH.test(path) || path.includes('..')) {
    return refuseFile(path, 'only a program of the repository can be started by a path');
  }
  if (SHELL_SCRIPT.test(name)) {
    return refuseFile(path, 'what a shell reads from a file cannot be judged');
  }
  const isKnownTool = tool !== undefined && programs.get(tool.name)?.toolOf === tool.kind;
  const isMistaken =
    programs.has(name) || refusedPrograms.has(name) || network.has(name) || INTERPRETER.test(name);
  if (!isMistaken || isKnownTool || notMistaken.has(name)) return undefined;
  return refuseFile(path, `a file could be taken for the program ${name}`);
}

function refuseFile(token: string, reason: string): Refusal {
  return refuse('program', reason, {
    token,
    instead:
      'a script of the repository runs through npm run, make, node or python; the tools test, build and lint run its own commands',
  });
}
