/** Checks the words after a program, or after its subcommand, against a form. */
import { checkOperand, type Scope } from './check-operand.ts';
import { findCodeFault } from './inline-code.ts';
import type { PlanWord } from './parse/resolve-word.ts';
import { readArguments, showWord, type Use } from './read-arguments.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { Form } from './rules/rule.ts';

export interface Checked {
  ok: true;
  flags: string[];
  /** For what follows: the program may start in another folder. */
  scope: Scope;
  /** Rules of the tools that this command starts in turn. */
  rules: string[];
}

export function checkForm(rule: string, form: Form, args: PlanWord[], scope: Scope): Checked | Refusal {
  const read = readArguments(rule, form, args);
  if (!read.ok) return read;
  const { flags, values } = read;
  const program = readInput(form, read.operands, scope);
  if ('ok' in program) return program;
  const { operands, isInput } = program;
  const missing = isInput ? undefined : findMissing(rule, form, flags, operands.length);
  if (missing !== undefined) return missing;
  const inside = goToStart(rule, values, scope);
  if ('ok' in inside) return inside;
  const writes = form.writesWith?.some((flag) => flags.includes(flag)) ?? false;
  const targets = form.lastIsTarget ? listTargets(operands) : [];
  const derived: Scope = { ...inside, place: () => true };
  for (const { word, kind } of targets) {
    const fault = checkOperand(rule, kind, word, derived);
    if (fault !== undefined) return { ...fault, token: fault.token ?? showWord(word) };
  }
  for (const { word, kind } of [...values, ...operands]) {
    if (kind === 'node-tool' || kind === 'python-tool' || kind === 'start') continue;
    const fault = checkOperand(rule, writes && kind === 'read' ? 'write' : kind, word, inside);
    if (fault !== undefined) return { ...fault, token: fault.token ?? showWord(word) };
  }
  const tool = checkTool(operands, inside);
  return tool.ok ? { ok: true, flags, scope: inside, rules: tool.rules } : tool;
}

/** A program in a here-document is judged like one in the line. */
function readInput(
  { runsInput }: Form,
  operands: Use[],
  { input, judgePath }: Scope,
): { operands: Use[]; isInput: boolean } | Refusal {
  const [first, ...rest] = operands;
  const isRun = first === undefined || ('text' in first.word && first.word.text === '-');
  if (runsInput === undefined || input === undefined || !isRun) return { operands, isInput: false };
  return findCodeFault(input, runsInput, judgePath) ?? { operands: rest, isInput: true };
}

function goToStart(rule: string, values: Use[], scope: Scope): Scope | Refusal {
  let inside = scope;
  for (const { word, kind } of values) {
    if (kind !== 'start' || !('text' in word)) continue;
    const fault = checkOperand(rule, kind, word, inside);
    if (fault !== undefined) return fault;
    if (inside.from === undefined) {
      const reason = 'only one folder to start in can be given';
      return refuse(rule, reason, { token: word.text, instead: 'give the whole path once' });
    }
    inside = inside.from(word.text);
  }
  return inside;
}

/** From a tool's name on, all words belong to the tool. */
function checkTool(operands: Use[], scope: Scope): ReturnType<Scope['checkTool']> {
  const kind = operands[0]?.kind;
  if (kind !== 'node-tool' && kind !== 'python-tool') return { ok: true, rules: [] };
  return scope.checkTool(
    kind,
    operands.map(({ word }) => word),
  );
}

/** `cp a/b.ts c` writes `c/b.ts` when `c` is a folder. */
function listTargets(operands: Use[]): Use[] {
  const target = operands.at(-1)?.word;
  if (target === undefined || !('text' in target)) return [];
  return operands.slice(0, -1).flatMap(({ word }) => {
    const name = 'text' in word ? word.text.split('/').findLast((part) => part !== '') : undefined;
    const isPlain = name !== undefined && name !== '.' && name !== '..';
    return isPlain ? [{ word: { text: `${target.text}/${name}` }, kind: 'write' as const }] : [];
  });
}

function findMissing(rule: string, form: Form, flags: string[], count: number): Refusal | undefined {
  const { needs, minOperands = 0, minUnless = [] } = form;
  if (needs !== undefined && !needs.flags.some((flag) => flags.includes(flag))) {
    return refuse(rule, needs.refused.reason, { token: rule, instead: needs.refused.instead });
  }
  if (count >= minOperands || minUnless.some((flag) => flags.includes(flag))) return undefined;
  const reason = `"${rule}" needs ${minOperands === 1 ? 'an operand' : `${minOperands} operands`}`;
  return refuse(rule, reason, { token: rule, instead: 'name the file or folder to work on' });
}
