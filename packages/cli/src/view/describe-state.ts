import type { Operation, State } from '@fettle/contract';
import { cyan, green, type Line, red, yellow } from './line.ts';

/** The colored mark before an operation: what kind of state it is in. */
export function stateMark(state: State): Line {
  if (['awaiting_approval', 'approved', 'merged', 'released', 'answered'].includes(state))
    return [green('✓ ')];
  if (['failed', 'rejected', 'expired'].includes(state)) return [red('✗ ')];
  if (['cancelled', 'unchanged', 'paused', 'awaiting_plan'].includes(state)) return [yellow('• ')];
  return [cyan('▸ ')];
}

/** The state as one sentence, with what the operation waits for. */
export function describeState({ id, state, waitsFor }: Operation): string {
  return `${id} is ${state}${waitsFor === null ? '' : `: waits for ${waitsFor}`}`;
}
