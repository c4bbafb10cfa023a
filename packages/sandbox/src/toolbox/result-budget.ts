import { maxPayloadBytes } from '../protocol/frames.ts';

/** A list has to fit one frame with room to spare, however few entries were asked for. */
const budgetBytes = maxPayloadBytes / 2;

/** Keeps the first items that fit both limits. */
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
