/** Why a proof says less than it seems to. */
import type { Evidence } from '@fettle/contract';
import { harmlessLine } from './harmless.ts';
import { dim, type Line, yellow } from './line.ts';
import { cutText } from './text/text-width.ts';

const maxShown = 3;
const maxLength = 240;

export function describeDoubts(evidence: Evidence | undefined): Line[] {
  const all = [...listWeakness(evidence?.fault), ...(evidence?.doubts ?? [])];
  const rows = all
    .slice(0, maxShown)
    .map((doubt): Line => [dim('doubt   '), yellow(cutText(harmlessLine(doubt), maxLength))]);
  const more = all.length - rows.length;
  return more > 0 ? [...rows, [dim(`        and ${more} more in the description of the proposal`)]] : rows;
}

function listWeakness(fault: Evidence['fault']): string[] {
  if (fault?.status === 'could_not_run')
    return [`the tests of the change could not run on the base: ${fault.message ?? ''}`];
  if (fault?.status !== 'weak') return [];
  const [first, ...others] = fault.cannotLoad;
  if (first === undefined) return [`weak evidence: ${fault.message ?? ''}`];
  const files = others.length > 0 ? `${first.file} and ${others.length} more` : first.file;
  return [`weak evidence: ${files} cannot load on the base: ${first.message}`];
}
