/**
 * Finds a dollar sign that the parser reads as a plain character and a shell might not: `$[` without an end, or a
 * name on the next line.
 */
const BEGINS_EXPANSION = /^(?:[A-Za-z0-9_{([@*#?$!-]|\\\n)/;
const QUOTED_PIECE = /^\$'(?:[^\\']|\\.)*'/s;

/** The construct that begins there, if any. */
export function findLooseDollar(word: string): string | undefined {
  let isDouble = false;
  for (let at = 0; at < word.length; at += 1) {
    const character = word[at];
    if (character === '\\') at += 1;
    else if (character === '"') isDouble = !isDouble;
    else if (character === "'" && !isDouble) at = skipTo(word.indexOf("'", at + 1), word);
    else if (character === '$') {
      const piece = isDouble ? undefined : QUOTED_PIECE.exec(word.slice(at))?.[0];
      if (piece !== undefined) at += piece.length - 1;
      else if (BEGINS_EXPANSION.test(word.slice(at + 1, at + 3))) return word.slice(at, at + 20);
    }
  }
  return undefined;
}

function skipTo(index: number, word: string): number {
  return index === -1 ? word.length : index;
}
