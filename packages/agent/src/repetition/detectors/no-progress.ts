import { factors } from '../limits.ts';
import type { Detector, TurnDescription } from '../turn-description.ts';

/** Consecutive turns in which no file got a new state and no new result appeared. */
export const findNoProgress: Detector = (turns, threshold) => {
  const newest = turns.findLastIndex(({ news }) => news);
  const stale = turns.slice(newest + 1).filter((turn) => !isWaiting(turn));
  if (stale.length < threshold * factors.stale) return undefined;
  const tool = mostCalled(stale);
  const tools = tool === undefined ? [] : [tool];
  return { kind: 'stale', key: 'stale', what: tool ?? '', times: stale.length, tools };
};

const isWaiting = ({ calls }: TurnDescription) => calls.length > 0 && calls.every(({ waits }) => waits);

function mostCalled(turns: TurnDescription[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { tool } of turns.flatMap(({ calls }) => calls)) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
}
