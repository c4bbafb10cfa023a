// What a shell has and a plan has not, by the type of the parser's node.
interface SyntaxRefusal {
  rule: string;
  reason: string;
  instead: string;
}

const substitution: SyntaxRefusal = {
  rule: 'shell/substitution',
  reason: 'what another command prints is not known before it runs',
  instead:
    'run the inner command first, and write what it printed into the next line; "git commit" takes several -m',
};
const variable: SyntaxRefusal = {
  rule: 'shell/variable',
  reason: 'no variables are set here, so that the line cannot be resolved',
  instead: 'write the value itself; in single quotes a dollar sign is just a character',
};
const loop: SyntaxRefusal = {
  rule: 'shell/loop',
  reason: 'loops and conditions are not run',
  instead:
    'use a glob or several operands, join commands with && and ||, or put the logic in a script of the repository',
};
const group: SyntaxRefusal = {
  rule: 'shell/subshell',
  reason: 'commands cannot be grouped',
  instead: 'write them one after another with && or ;; "cd" holds for the rest of one line only',
};
const hereDocument: SyntaxRefusal = {
  rule: 'shell/here-document',
  reason: 'a text in the line cannot be given to a program as its input',
  instead: 'write the text to a file with write_file, and name the file',
};
const translated: SyntaxRefusal = {
  rule: 'shell/quotes',
  reason: 'text of this kind is changed by the shell',
  instead: 'use single or double quotes',
};

export const syntaxRefusals = {
  CommandExpansion: substitution,
  ProcessSubstitution: { ...substitution, instead: 'write the output to a file with >, and name the file' },
  SimpleExpansion: variable,
  ParameterExpansion: variable,
  ArithmeticExpansion: { ...variable, rule: 'shell/arithmetic', reason: 'arithmetic is not done here' },
  ArithmeticCommand: { ...variable, rule: 'shell/arithmetic', reason: 'arithmetic is not done here' },
  If: loop,
  For: loop,
  ArithmeticFor: loop,
  While: loop,
  Select: loop,
  Case: loop,
  TestCommand: { ...loop, rule: 'shell/test', instead: 'use "test -f file && …"' },
  Subshell: group,
  BraceGroup: group,
  Redirected: group,
  Function: {
    rule: 'shell/function',
    reason: 'functions would hide which program runs',
    instead: 'write the commands themselves',
  },
  Coproc: {
    rule: 'shell/background',
    reason: 'nothing runs in the background',
    instead: 'run it in the foreground, with a time limit if it is long',
  },
  HereDoc: hereDocument,
  HereString: { ...hereDocument, instead: 'use: echo "text" | program' },
  LocaleString: translated,
  ExtendedGlob: {
    rule: 'shell/pattern',
    reason: 'extended patterns are off',
    instead: 'use *, ? and [a-z], or quote the word if it is meant as it stands',
  },
  Negation: {
    rule: 'shell/negation',
    reason: '! in front hides which command runs and turns its result around',
    instead: 'leave it out, and look at the exit code',
  },
  Time: {
    rule: 'shell/time',
    reason: 'time is part of the shell',
    instead: 'leave it out: how long it took is reported',
  },
} satisfies Record<string, SyntaxRefusal>;

export type RefusedSyntax = keyof typeof syntaxRefusals;
