import { maxPayloadBytes } from '../protocol/frames.ts';

/** A list must fit into one frame with room to spare, however few entries were requested. */
const budgetBytes = maxPayloadBytes / 2;

/** Returns the first items that fit into both limits. */
export function keepWithinFrame<T>(items: T[], maxItems: number): { kept: T[]; truncated: boolean } {
  let bytes = 0;
  let kept = 0;
  for (const item of items.slice(0, maxItems)) {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    if (bytes > budgetBytes) break;
    kept += 1;
  }
  return { kept: items.slice(0, kept), truncated: kept < items.length };
}
