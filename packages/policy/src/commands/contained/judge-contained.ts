/**
 * Judges a line for the mode `contained`, in which bash runs it and the sandbox contains it. Denied is what cannot work
 * there, what names a protected path, and what looks different from what it runs. Everything else is judged by the rules
 * of `strict` for the record only.
 */
import { judgeByDefault } from '../default-path-judge.ts';
import { type CommandObjection, type CommandOptions, judgeCommand } from '../judge-command.ts';
import { judgeOperandPath } from '../judge-operand-path.ts';
import { findForbiddenCharacter } from '../parse/forbidden-characters.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { ContainedRule } from './contained-rule.ts';
import { containedRules } from './contained-rules.ts';
import { type FoundCommand, type KnownWord, listCommands } from './list-commands.ts';

/** `rules` are those that allow the line in `strict`, or the one that would deny it there. */
export type ContainedVerdict =
  | { decision: 'allow'; rules: string[] }
  | ({ decision: 'deny' } & CommandObjection);

const LOOPBACK = /(^|\/\/|@|\[)(localhost|127(\.\d{1,3}){3}|::1|0\.0\.0\.0)(?![\w.-])/i;
const OTHER_ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;
/** Programs that open the files that they name, and how many operands come before the files. */
const openers: Record<string, number> = {
  ...Object.fromEntries(
    'cat head tail less more ls stat cp mv rm chmod touch tee source . ln nl wc'
      .split(' ')
      .map((name) => [name, 0]),
  ),
  ...{ grep: 1, egrep: 1, rg: 1, sed: 1, awk: 1, jq: 1 },
};
const changers = new Set(['mv', 'rm', 'chmod', 'touch', 'tee', 'ln']);

export function judgeContained(
  line: string,
  { judgePath = judgeByDefault }: Pick<CommandOptions, 'judgePath'> = {},
): ContainedVerdict {
  const hidden = findForbiddenCharacter(line);
  if (hidden !== undefined) return deny(hidden);
  const strict = judgeCommand(line, { judgePath });
  if (strict.decision !== 'deny') return { decision: 'allow', rules: strict.rules };
  for (const command of listCommands(line)) {
    const fault = findHopeless(command) ?? findProtected(command, judgePath);
    if (fault !== undefined) return deny(fault);
  }
  return { decision: 'allow', rules: [`contained, strict denies: ${strict.rule}`] };
}

function findHopeless(command: FoundCommand): Refusal | undefined {
  const found = containedRules.find((rule) => applies(rule, command));
  if (found === undefined) return undefined;
  const token = `${command.name} ${readCall(found, command)?.subcommand ?? ''}`.trim();
  return refuse(found.rule, found.reason, { token, instead: found.instead });
}

function applies(rule: ContainedRule, command: FoundCommand): boolean {
  const { programs, unless = [], exceptLoopback = false, onlyWith, exceptWith } = rule;
  if (!programs.includes(command.name)) return false;
  const call = readCall(rule, command);
  if (call === undefined) return false;
  const words = command.args.flatMap((word) => word?.text ?? []);
  if (words.some((word) => unless.includes(word))) return false;
  if (exceptLoopback && (command.args.includes(undefined) || staysHere(words))) return false;
  if (exceptWith !== undefined && call.rest.some((word) => exceptWith.test(word))) return false;
  return onlyWith === undefined || call.rest.some((word) => onlyWith.test(word));
}

function staysHere(words: string[]): boolean {
  const named = words.filter((word) => LOOPBACK.test(word) || OTHER_ADDRESS.test(word));
  return named.length > 0 && named.every((word) => LOOPBACK.test(word));
}

/** The subcommand, if the rule is about one, and the words after it. Undefined if it is another one. */
function readCall(
  { subcommands, valueFlags = [] }: ContainedRule,
  { args }: FoundCommand,
): { subcommand: string; rest: string[] } | undefined {
  const words = args.map((word) => word?.text ?? '');
  if (subcommands === undefined) return { subcommand: '', rest: words };
  let at = 0;
  while (words[at]?.startsWith('-')) at += valueFlags.includes(words[at] ?? '') ? 2 : 1;
  const first = words[at] ?? '';
  const subcommand = [`${first} ${words[at + 1] ?? ''}`, first].find((name) => subcommands.includes(name));
  return subcommand === undefined ? undefined : { subcommand, rest: words.slice(at + 1) };
}

/** Not a boundary: such files are not in the sandbox, and a change to them is not taken. This says so at once. */
function findProtected(
  { name, args, writes, reads }: FoundCommand,
  judge: NonNullable<CommandOptions['judgePath']>,
): Refusal | undefined {
  const skipped = openers[name];
  const operands =
    skipped === undefined
      ? []
      : args.filter((word): word is KnownWord => word?.text.startsWith('-') === false).slice(skipped);
  const named = [
    ...[...operands, ...reads].map((word) => ({ word, operation: 'read' as const })),
    ...[...(changers.has(name) ? operands : []), ...writes].map((word) => ({
      word,
      operation: 'write' as const,
    })),
  ];
  for (const { word, operation } of named) {
    const options = { folders: ['.'], judge, isPattern: word.isPattern };
    const fault = judgeOperandPath(word.text, operation, options);
    // Paths outside of the workspace belong to the sandbox.
    if (fault === undefined || /^(path\/|outside$|not-a-path$)/.test(fault.rule)) continue;
    // The sandbox has only a placeholder of a withheld file, or the file without its secrets.
    if (operation === 'write' || fault.rule === 'git-files') return fault;
  }
  return undefined;
}

function deny({ ok: _, ...objection }: Refusal): ContainedVerdict {
  return { decision: 'deny', ...objection };
}
