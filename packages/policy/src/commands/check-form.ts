// Holds the words after a program, or after its subcommand, against a form.

import { assignSlots } from './assign-slots.ts';
import { checkOperand, type Scope } from './check-operand.ts';
import { readFlagTable } from './flag-table.ts';
import { nearest } from './nearest.ts';
import type { PlanWord } from './parse/resolve-word.ts';
import { readFlag } from './read-flag.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { Form, OperandKind } from './rules/rule.ts';

export interface Checked {
  ok: true;
  flags: string[];
  /** Names of rules of the tools that are started in turn. */
  rules: string[];
}

interface Use {
  word: PlanWord;
  kind: OperandKind;
  token: string;
}

export function checkForm(rule: string, form: Form, args: PlanWord[], scope: Scope): Checked | Refusal {
  const read = readArguments(rule, form, args);
  if (!read.ok) return read;
  const { flags, operands, rest, values } = read;
  const uses = [...values, ...operands, ...rest];
  const writes = form.writesWith?.some((flag) => flags.includes(flag)) ?? false;
  const rules: string[] = [];
  for (const [index, { word, kind, token }] of uses.entries()) {
    if (kind === 'node-tool' || kind === 'python-tool') {
      const tool = scope.checkTool(
        kind,
        uses.slice(index).map((use) => use.word),
      );
      return tool.ok ? { ok: true, flags, rules: tool.rules } : tool;
    }
    const fault = checkOperand(rule, writes && kind === 'read' ? 'write' : kind, word, scope);
    if (fault !== undefined) return { ...fault, token: fault.token ?? token };
  }
  const fault = findMissing(rule, form, flags, operands.length + rest.length);
  return fault ?? { ok: true, flags, rules };
}

type Arguments = { ok: true; flags: string[]; values: Use[]; operands: Use[]; rest: Use[] } | Refusal;

function readArguments(rule: string, form: Form, args: PlanWord[]): Arguments {
  const flags: string[] = [];
  const values: Use[] = [];
  const operands: PlanWord[] = [];
  let rest: PlanWord[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] as PlanWord;
    const text = 'text' in word ? word.text : undefined;
    if (text === '--' && !form.dashesAreText) {
      rest = args.slice(at + 1);
      break;
    }
    if (text !== undefined && form.literals?.includes(text)) continue;
    if (text === undefined || !isFlag(text, form)) {
      operands.push(word);
      if (!form.stopsAtOperand) continue;
      operands.push(...args.slice(at + 1));
      break;
    }
    const flag = readFlag(rule, form, text, args[at + 1]);
    if (!flag.ok) return flag;
    flags.push(...flag.names);
    if (flag.value !== undefined) values.push({ ...flag.value, token: text });
    if (flag.takesNext) at += 1;
  }
  const kept = form.afterDashes === undefined ? [...operands, ...rest] : operands;
  const assigned = assign(rule, form, kept, flags);
  if (!assigned.ok) return assigned;
  if (form.afterDashes === undefined) return { ok: true, flags, values, operands: assigned.uses, rest: [] };
  const after = assignSlots([form.afterDashes], rest);
  return { ok: true, flags, values, operands: assigned.uses, rest: toUses(after ?? []) };
}

function isFlag(text: string, form: Form): boolean {
  if (!text.startsWith('-') || text === '-') return false;
  if (!form.dashesAreText) return true;
  return readFlagTable(form.flags).has(text);
}

function assign(
  rule: string,
  form: Form,
  words: PlanWord[],
  flags: string[],
): { ok: true; uses: Use[] } | Refusal {
  const slots = form.operands ?? [];
  const refused = findRefusedWord(rule, form, words);
  if (refused !== undefined) return refused;
  const drops = form.firstUnless?.some((flag) => flags.includes(flag)) ?? false;
  const assigned = assignSlots(drops ? slots.slice(1) : slots, words);
  if (assigned !== undefined) {
    const target = form.lastIsTarget ? listTargets(assigned) : [];
    return { ok: true, uses: toUses([...assigned, ...target]) };
  }
  const token = show(words[slots.length] ?? words[0]);
  const near = nearest(token, form.literals ?? []);
  return refuse(
    rule,
    `"${rule}" takes ${slots.length === 0 ? 'no' : `at most ${slots.length}`} operands here`,
    {
      token,
      instead: near ?? 'leave it out',
    },
  );
}

/** A word that would do something else than the rule is for: `vitest watch`, `yarn workspace a add b`. */
function findRefusedWord(rule: string, form: Form, words: PlanWord[]): Refusal | undefined {
  const list = form.hasArgumentFiles ? words.find((word) => show(word).startsWith('@')) : undefined;
  if (list !== undefined) {
    const reason = `"${rule}" would read more arguments from this file`;
    return refuse(rule, reason, { token: show(list), instead: 'write the arguments in the line' });
  }
  const places = form.operands?.map((slot, index) => (index === 0 || slot === 'script' ? index : -1)) ?? [0];
  const token = words.find(
    (word, index) => places.includes(index) && Object.hasOwn(form.refused ?? {}, show(word)),
  );
  const refused = token === undefined ? undefined : form.refused?.[show(token)];
  return refused && refuse(rule, refused.reason, { token: show(token), instead: refused.instead });
}

/** `cp a/b.ts c` writes `c/b.ts` where `c` is a folder. */
function listTargets(
  assigned: { word: PlanWord; kind: OperandKind }[],
): { word: PlanWord; kind: OperandKind }[] {
  const target = assigned.at(-1)?.word;
  if (target === undefined || !('text' in target)) return [];
  return assigned.slice(0, -1).flatMap(({ word }) => {
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
  return refuse(rule, `"${rule}" needs ${minOperands} operand${minOperands > 1 ? 's' : ''}`, {
    token: rule,
    instead: 'name the file or whatever it should work on',
  });
}

function toUses(assigned: { word: PlanWord; kind: OperandKind }[]): Use[] {
  return assigned.map(({ word, kind }) => ({ word, kind, token: show(word) }));
}

function show(word: PlanWord | undefined): string {
  if (word === undefined) return '';
  return 'text' in word ? word.text : word.glob;
}
