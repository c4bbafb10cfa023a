/**
 * The shape of a command rule. A rule is data: the arguments that a program, or one of its subcommands, accepts.
 * Everything else is denied.
 */

/** The kinds of an operand or flag value. `check-operand.ts` checks words against them. */
export const operandKinds = {
  packages: 'a folder with Go packages, or ./... for all of them',
  read: 'a path of the workspace that is read',
  write: 'a path of the workspace that is made or changed',
  delete: 'a path of the workspace that is taken away',
  folder: 'a folder of the workspace that is gone into',
  start: 'a folder of the workspace from which the program starts, as after cd',
  revision: 'a commit, a range, a path, or a path in a commit',
  ref: 'the name of a commit or branch',
  'ref-pattern': 'the name of a branch, or a pattern for such names',
  pathspec: 'a path or pattern of git',
  'tracked-path': 'a tracked file by its name, not by a pattern of git',
  'line-range': 'lines of a file: 1,9:path',
  text: 'whatever it is, the program takes it as data',
  argument: 'for code of the repository, which is contained by the sandbox',
  pattern: 'a regular expression or a glob of the program’s own',
  number: 'a number',
  count: 'a number, maybe with a sign or a unit',
  name: 'a word without spaces: of a reporter, a type, a package',
  'date-format': 'a format that begins with +',
  'message-file': 'a path of the workspace, or - with a here-document',
  'python-code': 'code in Python that stays within the workspace',
  'javascript-code': 'code in JavaScript that stays within the workspace',
  output: 'a path of the workspace or the scratch folder that is made',
  copied: 'a path of the workspace that is read, but not all of it',
  'code-file': 'a file of the workspace with code, such as src/a.ts',
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
/** `read...`: any number of them. */
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
   * in brackets is optional and must be attached to the flag: `--color=always`, `-M90`.
   */
  flags?: string;
  /** `-abc` is one flag, not `-a -b -c`; `-name=value` has a value. */
  wordFlags?: boolean;
  /** `-20` is a number of lines. */
  numberFlag?: boolean;
  /** An unknown word with a dash is an operand, as for echo. */
  dashesAreText?: boolean;
  /** In order; one of them may repeat. Without this field, no operands are allowed. */
  operands?: OperandSlot[];
  /** Literal words among the operands. */
  literals?: string[];
  /** The first operand is omitted when one of these flags is present. */
  firstUnless?: string[];
  /** The last operand may be a folder that the others go into. */
  lastIsTarget?: boolean;
  /** With one of these flags, files that are read are also changed. */
  writesWith?: string[];
  /** What may follow `--`. Without this field, operands continue. */
  afterDashes?: OperandSlot;
  /** From the first operand on, everything belongs to the program it names. */
  stopsAtOperand?: boolean;
  /** The program reads `@file` as a list of more arguments, which are not in the line. */
  hasArgumentFiles?: boolean;
  /** Without an operand, or with `-`, the program runs its standard input. */
  runsInput?: 'python' | 'javascript';
  minOperands?: number;
  /** One of these flags replaces missing operands. */
  minUnless?: string[];
  /** One of these flags is required. */
  needs?: { flags: string[]; refused: Refused };
  /** Flags or first operands that users try, with better advice than "unknown". */
  refused?: Record<string, Refused>;
}

export interface Subcommand extends Form, Examples {
  /** `log`, or two words as in `stash list`. */
  names: string[];
  reason: string;
}

/** With subcommands, the form describes what may precede one, and what is allowed without one. */
export interface Program extends Form, Examples {
  names: string[];
  reason: string;
  /** Installed with the repository: npx, `python -m` and similar may start it. */
  toolOf?: 'node' | 'python';
  /** It only reads and changes files, so it may also do so in the scratch folder. */
  usesScratch?: boolean;
  subcommands?: Subcommand[];
}
