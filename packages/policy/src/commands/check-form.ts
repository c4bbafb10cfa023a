/** Checks the words after a program, or after its subcommand, against a form. */
import { checkOperand, type Scope } from './check-operand.ts';
import type { PlanWord } from './parse/resolve-word.ts';
import { readArguments, showWord, type Use } from './read-arguments.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { Form } from './rules/rule.ts';

export interface Checked {
  ok: true;
  flags: string[];
  /** Rules of the tools that this command starts in turn. */
  rules: string[];
}

export function checkForm(rule: string, form: Form, args: PlanWord[], scope: Scope): Checked | Refusal {
  const read = readArguments(rule, form, args);
  if (!read.ok) return read;
  const { flags, operands, values } = read;
  const missing = findMissing(rule, form, flags, operands.length);
  if (missing !== undefined) return missing;
  const writes = form.writesWith?.some((flag) => flags.includes(flag)) ?? false;
  const targets = form.lastIsTarget ? listTargets(operands) : [];
  for (const { word, kind } of [...values, ...operands, ...targets]) {
    if (kind === 'node-tool' || kind === 'python-tool') continue;
    const fault = checkOperand(rule, writes && kind === 'read' ? 'write' : kind, word, scope);
    if (fault !== undefined) return { ...fault, token: fault.token ?? showWord(word) };
  }
  const tool = checkTool(operands, scope);
  return tool.ok ? { ok: true, flags, rules: tool.rules } : tool;
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
