import type { State } from '@fettle/contract';
import { cyan, green, type Line, red, yellow } from './line.ts';

/** How a state looks at a glance. */
export function stateMark(state: State): Line {
  if (['awaiting_approval', 'approved', 'merged', 'released', 'answered'].includes(state))
    return [green('✓ ')];
  if (['failed', 'rejected', 'expired'].includes(state)) return [red('✗ ')];
  if (['cancelled', 'unchanged', 'paused', 'awaiting_plan'].includes(state)) return [yellow('• ')];
  return [cyan('▸ ')];
}
