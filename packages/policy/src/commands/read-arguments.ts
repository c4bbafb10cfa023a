/** Separates flags, flag values and operands the way the program itself does. */
import { assignSlots } from './assign-slots.ts';
import { readFlagTable } from './flag-table.ts';
import type { PlanWord } from './parse/resolve-word.ts';
import { readFlag } from './read-flag.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { Form, OperandKind } from './rules/rule.ts';

/** A word, and how the program interprets it. */
export interface Use {
  word: PlanWord;
  kind: OperandKind;
}

export interface Arguments {
  ok: true;
  flags: string[];
  values: Use[];
  operands: Use[];
}

interface Split {
  ok: true;
  flags: string[];
  values: Use[];
  operands: PlanWord[];
  afterDashes: PlanWord[];
}

export function readArguments(rule: string, form: Form, args: PlanWord[]): Arguments | Refusal {
  const split = splitArguments(rule, form, args);
  if (!split.ok) return split;
  const { flags, values, afterDashes } = split;
  const list = form.hasArgumentFiles ? findArgumentFile(rule, args) : undefined;
  if (list !== undefined) return list;
  const goesOn = form.afterDashes === undefined;
  const words = goesOn ? [...split.operands, ...afterDashes] : split.operands;
  const refused = findRefusedWord(rule, form, words);
  if (refused !== undefined) return refused;
  const drops = form.firstUnless?.some((flag) => flags.includes(flag)) ?? false;
  const slots = (form.operands ?? []).slice(drops ? 1 : 0);
  const operands = assignSlots(slots, words);
  if (operands === undefined) return refuseSurplus(rule, slots.length, words);
  const rest = form.afterDashes === undefined ? [] : (assignSlots([form.afterDashes], afterDashes) ?? []);
  return { ok: true, flags, values, operands: [...operands, ...rest] };
}

function splitArguments(rule: string, form: Form, args: PlanWord[]): Split | Refusal {
  const split: Split = { ok: true, flags: [], values: [], operands: [], afterDashes: [] };
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] as PlanWord;
    const text = showWord(word);
    if (text === '--' && !form.dashesAreText) {
      if (!endsFlags(form)) return refuseDashes(rule);
      split.afterDashes = args.slice(at + 1);
      break;
    }
    if (form.literals?.includes(text)) continue;
    if (!isFlag(text, form)) {
      split.operands.push(word);
      if (!form.stopsAtOperand) continue;
      split.operands.push(...args.slice(at + 1));
      break;
    }
    const flag = readFlag(rule, form, text, args[at + 1]);
    if (!flag.ok) return flag;
    split.flags.push(...flag.names);
    if (flag.value !== undefined) split.values.push(flag.value);
    if (flag.takesNext) at += 1;
  }
  return split;
}

function isFlag(text: string, form: Form): boolean {
  if (!text.startsWith('-') || text === '-') return false;
  return !form.dashesAreText || readFlagTable(form.flags).has(text);
}

/** Programs whose flags are words (such as find) have their own parsers and keep reading flags after `--`. */
function endsFlags(form: Form): boolean {
  return !form.wordFlags || form.stopsAtOperand === true || form.afterDashes !== undefined;
}

/** These programs look for response files before they parse flags, so a flag's value counts as well. */
function findArgumentFile(rule: string, args: PlanWord[]): Refusal | undefined {
  const list = args.find((word) => showWord(word).startsWith('@'));
  if (list === undefined) return undefined;
  const reason = `"${rule}" would read more arguments from this file`;
  return refuse(rule, reason, { token: showWord(list), instead: 'write the arguments in the line' });
}

/** A word that selects another mode than the rule allows: `vitest watch`, `yarn workspace a add b`. */
function findRefusedWord(rule: string, form: Form, words: PlanWord[]): Refusal | undefined {
  const mayName = (index: number) => index === 0 || form.operands?.[index] === 'script';
  for (const [index, word] of words.entries()) {
    const token = showWord(word);
    const known =
      mayName(index) && Object.hasOwn(form.refused ?? {}, token) ? form.refused?.[token] : undefined;
    if (known !== undefined) return refuse(rule, known.reason, { token, instead: known.instead });
  }
  return undefined;
}

function refuseSurplus(rule: string, places: number, words: PlanWord[]): Refusal {
  const glob = words.find((word) => 'glob' in word);
  if (glob !== undefined && words.length <= places) {
    const reason = 'a pattern may become several names, and here each place means something else';
    return refuse(rule, reason, { token: showWord(glob), instead: 'write the names out' });
  }
  const reason = `"${rule}" takes ${places === 0 ? 'no operands' : `at most ${places}`} here`;
  return refuse(rule, reason, { token: showWord(words[places]), instead: 'leave it out' });
}

function refuseDashes(rule: string): Refusal {
  return refuse(rule, `"${rule}" may go on to read flags behind --`, {
    token: '--',
    instead: 'leave -- out',
  });
}

export function showWord(word: PlanWord | undefined): string {
  if (word === undefined) return '';
  return 'text' in word ? word.text : word.glob;
}
