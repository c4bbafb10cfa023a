/**
 * Parses one word that begins with a dash. Abbreviated flags, which many programs accept, are not supported: a flag
 * must be spelled as in its rule.
 */
import { readFlagTable } from './flag-table.ts';
import { nearest } from './nearest.ts';
import type { PlanWord } from './parse/resolve-word.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { Form, OperandKind } from './rules/rule.ts';

export interface ReadFlag {
  ok: true;
  names: string[];
  value?: { word: PlanWord; kind: OperandKind };
  /** The value was the next word. */
  takesNext: boolean;
}

export function readFlag(
  rule: string,
  form: Form,
  text: string,
  next: PlanWord | undefined,
): ReadFlag | Refusal {
  const whole = readWhole(rule, form, text, next);
  if (whole !== undefined) return whole;
  if (form.numberFlag && /^-\d{1,9}$/.test(text)) return { ok: true, names: [text], takesNext: false };
  const assigned = readAssigned(form, text);
  if (assigned !== undefined) return assigned;
  if (!form.wordFlags && !text.startsWith('--')) return readLetters(rule, form, text, next);
  return refuseFlag(rule, form, text.split('=')[0] ?? text);
}

function readWhole(
  rule: string,
  form: Form,
  text: string,
  next: PlanWord | undefined,
): ReadFlag | Refusal | undefined {
  const table = readFlagTable(form.flags);
  if (!table.has(text)) return undefined;
  const value = table.get(text);
  if (value === undefined || value.isOptional) return { ok: true, names: [text], takesNext: false };
  if (next === undefined) {
    return refuse(rule, `${text} needs a value`, { token: text, instead: `${text} <${value.kind}>` });
  }
  if ('glob' in next) {
    const reason = `the shell would put the names of matching files after ${text}`;
    return refuse(rule, reason, { token: next.glob, instead: 'quote it' });
  }
  return { ok: true, names: [text], value: { word: next, kind: value.kind }, takesNext: true };
}

/** `--flag=value`, and `-flag=value` where flags are words. */
function readAssigned(form: Form, text: string): ReadFlag | undefined {
  const equals = text.indexOf('=');
  if (equals === -1 || !(form.wordFlags || text.startsWith('--'))) return undefined;
  const name = text.slice(0, equals);
  const table = readFlagTable(form.flags);
  const value = table.get(name);
  const given = text.slice(equals + 1);
  if (value !== undefined) return withValue([name], value.kind, given);
  if (!table.has(name) || name.startsWith('--no-')) return undefined;
  if (given === 'true') return { ok: true, names: [name], takesNext: false };
  // Not the flag itself: a rule that needs the flag must not take this for it.
  return given === 'false' ? { ok: true, names: [text], takesNext: false } : undefined;
}

/** `-abc`, where the last flag may have its value attached. */
function readLetters(rule: string, form: Form, text: string, next: PlanWord | undefined): ReadFlag | Refusal {
  const table = readFlagTable(form.flags);
  const names: string[] = [];
  for (let at = 1; at < text.length; at += 1) {
    const name = `-${text[at]}`;
    names.push(name);
    if (!table.has(name)) return refuseFlag(rule, form, name, text);
    const value = table.get(name);
    const glued = text.slice(at + 1);
    if (value === undefined) continue;
    if (glued !== '') return withValue(names, value.kind, glued);
    const whole = readWhole(rule, form, name, next) ?? refuseFlag(rule, form, name);
    return whole.ok ? { ...whole, names } : whole;
  }
  return { ok: true, names, takesNext: false };
}

function withValue(names: string[], kind: OperandKind, text: string): ReadFlag {
  return { ok: true, names, value: { word: { text }, kind }, takesNext: false };
}

function refuseFlag(rule: string, form: Form, flag: string, token = flag): Refusal {
  const known =
    form.refused !== undefined && Object.hasOwn(form.refused, flag) ? form.refused[flag] : undefined;
  if (known !== undefined) return refuse(rule, known.reason, { token, instead: known.instead });
  return refuse(rule, `${flag} is not among the flags that "${rule}" may have`, {
    token,
    instead: suggest(flag, [...readFlagTable(form.flags).keys()]),
  });
}

function byLength(a: string, b: string): number {
  return a.length - b.length;
}

function suggest(flag: string, flags: string[]): string {
  if (flags.length === 0) return 'leave it out: it may have none';
  const [begun] = flags.filter((known) => flag.length > 3 && known.startsWith(flag)).sort(byLength);
  const near = begun ?? (flag.length > 2 ? nearest(flag, flags) : undefined);
  if (near !== undefined) return `did you mean ${near}?`;
  return `leave it out; among those it may have are ${flags.slice(0, 12).join(' ')}`;
}
