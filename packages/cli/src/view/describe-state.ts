import type { Operation, State } from '@fettle/contract';
import { cyan, green, type Line, red, yellow } from './line.ts';

/** The colored mark before an operation: what kind of state it is in. Only a proven proposal gets ✓. */
export function stateMark({ state, outcome }: Pick<Operation, 'state' | 'outcome'>): Line {
  if (outcome?.kind === 'proposal' && outcome.proof !== 'proven' && !isOver(state)) return [yellow('• ')];
  if (['awaiting_approval', 'approved', 'merged', 'released', 'answered'].includes(state))
    return [green('✓ ')];
  if (['failed', 'rejected', 'expired'].includes(state)) return [red('✗ ')];
  if (['cancelled', 'unchanged', 'paused', 'awaiting_plan'].includes(state)) return [yellow('• ')];
  return [cyan('▸ ')];
}

const isOver = (state: State) => ['failed', 'rejected', 'expired', 'cancelled'].includes(state);

/** The state as one sentence, with what the operation waits for. */
export function describeState({ id, state, waitsFor }: Operation): string {
  return `${id} is ${state}${waitsFor === null ? '' : `: waits for ${waitsFor}`}`;
}
