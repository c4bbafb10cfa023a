export interface Edit {
  old: string;
  new: string;
  all: boolean;
}

export type EditResult = { ok: true; text: string; replaced: number } | { ok: false; reason: string };

/** Applies exact replacements one after the other; all of them or none. */
export function applyEdits(text: string, edits: Edit[], maxLength = Number.POSITIVE_INFINITY): EditResult {
  let result = text;
  let replaced = 0;
  for (const [index, edit] of edits.entries()) {
    const which = edits.length > 1 ? `Edit ${index + 1}: ` : '';
    if (edit.old === edit.new) return { ok: false, reason: `${which}old and new are the same text.` };
    const places = countPlaces(result, edit.old);
    if (places === 0)
      return { ok: false, reason: `${which}the old text is not in the file. ${hint(result, edit.old)}` };
    if (places > 1 && !edit.all) {
      return {
        ok: false,
        reason: `${which}the old text stands in ${places} places. Add lines around it until it is unique, or set all to true.`,
      };
    }
    const length = result.length + places * (edit.new.length - edit.old.length);
    if (length > maxLength) {
      return {
        ok: false,
        reason: `${which}the file would have ${length} characters, over the limit of ${maxLength}.`,
      };
    }
    result = result.split(edit.old).join(edit.new);
    replaced += places;
  }
  return { ok: true, text: result, replaced };
}

function countPlaces(text: string, piece: string): number {
  return text.split(piece).length - 1;
}

/** The usual reason is white space or a line that was remembered wrongly: show what really stands there. */
function hint(text: string, old: string): string {
  const firstLine = old
    .split('\n')
    .find((line) => line.trim() !== '')
    ?.trim();
  if (firstLine === undefined) return 'It has only white space.';
  const lines = text.split('\n');
  const place = lines.findIndex((line) => line.includes(firstLine));
  if (place === -1)
    return `Not even its first line («${firstLine.slice(0, 80)}») is there; read the file again.`;
  const around = lines
    .slice(place, place + old.split('\n').length)
    .join('\n')
    .slice(0, 1_000);
  return `Its first line is at line ${place + 1}, but what follows or its white space differs. There it reads:\n${around}`;
}
