/** Shell syntax that a plan does not support, by the type of the parser's node. */
interface SyntaxRefusal {
  rule: string;
  reason: string;
  instead: string;
}

const substitution: SyntaxRefusal = {
  rule: 'shell/substitution',
  reason: 'the output of another command is not known before it runs',
  instead:
    'run the inner command first, and write what it printed into the next line; "$(cat <<\'EOF\' …)" is allowed in double quotes',
};
const variable: SyntaxRefusal = {
  rule: 'shell/variable',
  reason: 'variables are not set here, so the line cannot be resolved',
  instead: 'write the value itself; in single quotes a dollar sign is just a character',
};
const loop: SyntaxRefusal = {
  rule: 'shell/loop',
  reason: 'loops and conditions are not supported',
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
  reason: 'only a here-document with a plain delimiter and a line that ends it is known',
  instead: "write <<'EOF', or write the text to a file with write_file",
};
const translated: SyntaxRefusal = {
  rule: 'shell/quotes',
  reason: 'the shell rewrites text in this kind of quotes',
  instead: 'use single or double quotes',
};

export const syntaxRefusals = {
  CommandExpansion: substitution,
  ProcessSubstitution: { ...substitution, instead: 'write the output to a file with >, and name the file' },
  SimpleExpansion: variable,
  ParameterExpansion: variable,
  ArithmeticExpansion: { ...variable, rule: 'shell/arithmetic', reason: 'arithmetic is not supported' },
  ArithmeticCommand: { ...variable, rule: 'shell/arithmetic', reason: 'arithmetic is not supported' },
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
    reason: 'a function would hide which program runs',
    instead: 'write the commands themselves',
  },
  Coproc: {
    rule: 'shell/background',
    reason: 'background commands are not supported',
    instead: 'run it in the foreground, with a time limit if it is long',
  },
  HereDoc: hereDocument,
  HereString: {
    ...hereDocument,
    reason: 'here-strings are not supported',
    instead: 'use: echo "text" | program',
  },
  LocaleString: translated,
  ExtendedGlob: {
    rule: 'shell/pattern',
    reason: 'extended patterns are off',
    instead: 'use *, ? and [a-z], or quote the word if the characters are literal',
  },
  Negation: {
    rule: 'shell/negation',
    reason: 'a leading ! hides which command runs and inverts its exit code',
    instead: 'leave it out, and check the exit code',
  },
  Time: {
    rule: 'shell/time',
    reason: 'time is a shell keyword',
    instead: 'leave it out: the duration is reported anyway',
  },
} satisfies Record<string, SyntaxRefusal>;

export type RefusedSyntax = keyof typeof syntaxRefusals;
