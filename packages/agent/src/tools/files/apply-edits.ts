export interface Edit {
  old: string;
  new: string;
  all: boolean;
}

export type EditResult = { ok: true; text: string; replaced: number } | { ok: false; reason: string };

/** Applies exact replacements in order: all of them or none. */
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
        reason: `${which}the old text occurs ${places} times. Add surrounding lines until it is unique, or set all to true.`,
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

/** Usually white space differs or the model misremembered a line, so show the actual text. */
function hint(text: string, old: string): string {
  const firstLine = old
    .split('\n')
    .find((line) => line.trim() !== '')
    ?.trim();
  if (firstLine === undefined) return 'It contains only white space.';
  const lines = text.split('\n');
  const place = lines.findIndex((line) => line.includes(firstLine));
  if (place === -1)
    return `Its first line («${firstLine.slice(0, 80)}») is not in the file either; read the file again.`;
  const around = lines
    .slice(place, place + old.split('\n').length)
    .join('\n')
    .slice(0, 1_000);
  return `Its first line is at line ${place + 1}, but the following lines or the white space differ. The file has:\n${around}`;
}
