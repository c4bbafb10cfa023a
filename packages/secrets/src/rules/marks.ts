/**
 * Most patterns begin with a marker, such as `npm_`, that most texts do not contain. One pass over a text collects
 * its three-character sequences; a pattern whose marker cannot be among them is skipped.
 */

const bits = 18;
const mask = (1 << bits) - 1;
/** For a text this short, searching for each marker is faster. */
const shortText = 4_096;

/** A hash of the last three characters, case-insensitive. */
function next(last: number, code: number): number {
  return ((last << 6) ^ (code | 0x20)) & mask;
}

/** Whether a text may contain the marker, in any case. A negative answer is certain. */
export type MayHave = (mark: string) => boolean;

export function noteMarks(text: string): MayHave {
  if (text.length < shortText) {
    const folded = text.toLowerCase();
    return (mark) => folded.includes(mark.toLowerCase());
  }
  const seen = new Uint8Array(1 << bits);
  let last = 0;
  for (let at = 0; at < text.length; at += 1) {
    last = next(last, text.charCodeAt(at));
    seen[last] = 1;
  }
  return (mark) => {
    let last = 0;
    for (let at = 0; at < mark.length; at += 1) {
      last = next(last, mark.charCodeAt(at));
      if (at >= 2 && seen[last] === 0) return false;
    }
    return true;
  };
}

const tokens = /\\.|\[(?:\\.|[^\]\\])*\]|\{[\d,]+\}|\(\?(?:<?[=!]|:|<\w+>)|[\s\S]/g;

/** The longest text that every match of a pattern contains. Empty when there is no useful one. */
export function markOf({ source }: RegExp): string {
  const literals = [''];
  let depth = 0;
  for (const [token] of source.matchAll(tokens)) {
    if (token === '|' && depth === 0) return '';
    if (token.startsWith('(')) depth += 1;
    else if (token === ')') depth -= 1;
    // The character before one of these is optional.
    else if (/^[?*{]/.test(token)) literals.push(literals.pop()?.slice(0, -1) ?? '');
    const isLiteral = depth === 0 && !/^(?:\[|\\[a-zA-Z]|[)?*+{.^$])/.test(token);
    if (isLiteral) literals.push(`${literals.pop()}${token.replace(/^\\/, '')}`);
    else literals.push('');
  }
  const longest = literals.reduce((best, each) => (each.length > best.length ? each : best));
  return longest.length >= 3 ? longest : '';
}
