// The shape of a rule. A rule is data: what a program, or one subcommand of it, may be given. What a rule does not
// name is refused.

/** What an operand, or the value of a flag, may be; `check-operand.ts` holds words against them. */
export const operandKinds = {
  packages: 'a folder with Go packages, or ./... for all of them',
  read: 'a path of the workspace that is read',
  write: 'a path of the workspace that is made or changed',
  delete: 'a path of the workspace that is taken away',
  folder: 'a folder of the workspace that is gone into',
  revision: 'a commit, a range, a path, or a path in a commit',
  ref: 'the name of a commit or branch',
  pathspec: 'a path or pattern of git',
  'line-range': 'lines of a file: 1,9:path',
  text: 'whatever it is, the program takes it as data',
  argument: 'for code of the repository, which is contained by the sandbox',
  pattern: 'a regular expression or a glob of the program’s own',
  number: 'a number',
  count: 'a number, maybe with a sign or a unit',
  name: 'a word without spaces: of a reporter, a type, a package',
  suffix: 'a short ending such as .bak',
  mode: '+x or 755 for a file that can be run, 644 for one that cannot',
  false: 'the word false, which turns something off',
  script: 'a script of package.json, or a target of a Makefile',
  package: 'a package by name and version, or a folder of the workspace that begins with a dot',
  module: 'a package by name, or a file of the workspace',
  'sed-script': 'a script of sed',
  'node-tool': 'a tool of the repository with all that follows, judged by the tool’s own rule',
  'python-tool': 'the same, for Python',
} as const;
export type OperandKind = keyof typeof operandKinds;
/** `read...`: as many as there are. */
export type OperandSlot = OperandKind | `${OperandKind}...`;

export interface Examples {
  match: string[];
  notMatch: string[];
}

export interface Refused {
  reason: string;
  instead: string;
}

export interface Form {
  /**
   * The flags, spelled exactly as here, with the kind of their value: `-n --include=pattern --color[=name]`. A value
   * in brackets may be left out, and if not, it is glued to the flag: `--color=always`, `-M90`.
   */
  flags?: string;
  /** `-abc` is one word, and not `-a -b -c`; `-name=value` is a value. */
  wordFlags?: boolean;
  /** `-20` is a number of lines. */
  numberFlag?: boolean;
  /** What looks like a flag and is not one of these is an operand, as for echo. */
  dashesAreText?: boolean;
  /** In order; one of them may repeat. None means that there may be none. */
  operands?: OperandSlot[];
  /** Words that stand for themselves among the operands. */
  literals?: string[];
  /** The first operand is left out when one of these flags is there. */
  firstUnless?: string[];
  /** The last operand may be a folder that the others are put into. */
  lastIsTarget?: boolean;
  /** With one of these flags, what is read is changed. */
  writesWith?: string[];
  /** What may follow `--`; without it, operands go on. */
  afterDashes?: OperandSlot;
  /** From the first operand on, all belongs to what it names. */
  stopsAtOperand?: boolean;
  /** The program reads `@file` as a list of more arguments, which is not in the line. */
  hasArgumentFiles?: boolean;
  minOperands?: number;
  /** One of these flags makes up for operands that are not there. */
  minUnless?: string[];
  /** One of these flags must be there. */
  needs?: { flags: string[]; refused: Refused };
  /** Flags or first operands that people try, with better advice than "unknown". */
  refused?: Record<string, Refused>;
}

export interface Subcommand extends Form, Examples {
  /** `log`, or two words as in `stash list`. */
  names: string[];
  reason: string;
}

/** With subcommands, the form is what may stand in front of one, and what is allowed when there is none. */
export interface Program extends Form, Examples {
  names: string[];
  reason: string;
  /** Comes with the repository: may be started by npx or `python -m` and their like. */
  toolOf?: 'node' | 'python';
  subcommands?: Subcommand[];
}
