import type { ContentCheck } from './content-rule.ts';
import { isProse } from './read-content.ts';

/** A row of equal signs alone may underline a heading. The two other markers have no other use. */
const marker = /^(<{7}|>{7}|\|{7})( .{0,200})?$/;
const fence = /^\s{0,3}(```|~~~)/;

export const findConflictMarkers: ContentCheck = (reading) => {
  const hit = reading.added.find(({ text }) => marker.test(text));
  if (!hit) return [];
  // Documentation about conflicts shows markers in a code block.
  const inFence = isProse(reading) ? linesInFences(reading.text) : new Set();
  const outside = reading.added.find(({ number, text }) => marker.test(text) && !inFence.has(number));
  return outside ? [{ rule: 'conflict-marker', line: outside.number, token: outside.text.slice(0, 40) }] : [];
};

function linesInFences(text: string): Set<number> {
  const inside = new Set<number>();
  let open: string | undefined;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const mark = fence.exec(line)?.[1];
    if (mark !== undefined && (open === undefined || mark === open))
      open = open === undefined ? mark : undefined;
    else if (open !== undefined) inside.add(index + 1);
  }
  return inside;
}
