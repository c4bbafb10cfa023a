import type { Hooks, JudgedCall, Objection } from '../calls/hooks.ts';
import type { LoopWatch } from './watch.ts';

/**
 * A tool that the agent went round in circles with is refused for some turns. The list of tools stays as it is, and with it
 * what the model's service has in its cache.
 */
export function withhold(hooks: Hooks, loops: LoopWatch | undefined, turn: () => number): Hooks {
  if (loops === undefined) return hooks;
  const refuse = ({ tool }: JudgedCall): Objection | undefined =>
    loops.withheld(turn()).has(tool.name)
      ? {
          kind: 'block',
          reason: `${tool.name} is withheld for some turns, since its calls repeated themselves.`,
        }
      : undefined;
  return { ...hooks, afterPolicy: [...hooks.afterPolicy, refuse] };
}
