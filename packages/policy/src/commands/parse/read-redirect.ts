import type { CommandPlan } from '@fettle/contract';
import type { Redirect } from 'unbash';
import { type Refusal, refuse } from '../refusal.ts';
import { resolveSingle } from './resolve-word.ts';

export type PlanRedirect = CommandPlan[number]['commands'][number]['redirects'][number];

const KNOWN = '< file, > file, >> file, 2> file, &> file, 2>&1 and >&2';

export function readRedirect(redirect: Redirect): { ok: true; value: PlanRedirect } | Refusal {
  const { descriptor, operator, target } = redirect;
  const written = `${descriptor === undefined ? '' : describe(descriptor)}${operator}${target?.text ?? ''}`;
  const unknown = refuse('shell/redirect', 'this redirection is not one of those that are known', {
    token: written,
    instead: `use one of ${KNOWN}`,
  });
  if (target === undefined || descriptor?.type === 'FileDescriptorVariable') return unknown;
  const fd = descriptor?.value;
  const name = resolveSingle(target);
  if (!name.ok) return name;
  const path = name.value;

  if (operator === '<') return fd === undefined || fd === 0 ? found({ kind: 'read', path }) : unknown;
  if (operator === '>&') {
    const from = toOutput(fd ?? 1);
    if (from === undefined || (path !== '1' && path !== '2')) return unknown;
    return found({ kind: 'duplicate', from, to: path });
  }
  const append = operator.endsWith('>>');
  if (operator === '&>' || operator === '&>>') return found({ kind: 'write', fd: 'both', path, append });
  const output = toOutput(fd ?? 1);
  const writes = operator === '>' || operator === '>>' || operator === '>|';
  return writes && output !== undefined ? found({ kind: 'write', fd: output, path, append }) : unknown;
}

function found(value: PlanRedirect): { ok: true; value: PlanRedirect } {
  return { ok: true, value };
}

function toOutput(fd: number): '1' | '2' | undefined {
  if (fd === 1) return '1';
  return fd === 2 ? '2' : undefined;
}

function describe(descriptor: NonNullable<Redirect['descriptor']>): string {
  return descriptor.type === 'FileDescriptor' ? String(descriptor.value) : `{${descriptor.name}}`;
}
