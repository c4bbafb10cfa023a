/** Measures, cuts and wraps text by terminal columns. */
const plain = /^[\x20-\x7e]*$/;
const wide =
  /^[\u{1100}-\u{115f}\u{2e80}-\u{303e}\u{3041}-\u{a4cf}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff00}-\u{ff60}\u{ffe0}-\u{ffe6}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const zero = /^[\p{Mn}\p{Me}\u{200d}]+$/u;

export function textWidth(text: string): number {
  if (plain.test(text)) return text.length;
  return graphemes(text).reduce((sum, each) => sum + graphemeWidth(each), 0);
}

/** As much of the text as fits, with an ellipsis if it is cut. */
export function cutText(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let kept = '';
  let used = 1;
  for (const each of graphemes(text)) {
    used += graphemeWidth(each);
    if (used > width) break;
    kept += each;
  }
  return `${kept}…`;
}

/** The longest beginning of the text that fits. */
export function fitStart(text: string, width: number): string {
  let kept = '';
  let used = 0;
  for (const each of graphemes(text)) {
    used += graphemeWidth(each);
    if (used > width) break;
    kept += each;
  }
  return kept;
}

/** Breaks text between words into lines of at most that width, and words that are longer. */
export function wrapText(text: string, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const indent = /^ */.exec(paragraph)?.[0] ?? '';
    const lines: string[] = [];
    let line = indent;
    for (const word of paragraph.slice(indent.length).split(' ')) {
      const longer = line.trim() === '' ? line + word : `${line} ${word}`;
      if (textWidth(longer) <= width || line.trim() === '') line = longer;
      else {
        lines.push(line);
        line = indent + word;
      }
      if (textWidth(line) <= width) continue;
      const broken = breakWord(line, width);
      lines.push(...broken.slice(0, -1));
      line = broken.at(-1) ?? '';
    }
    return [...lines, line];
  });
}

function breakWord(line: string, width: number): string[] {
  const lines: string[] = [];
  let rest = line;
  while (textWidth(rest) > width) {
    const head = fitStart(rest, width);
    // A character that is wider than the line.
    if (head === '') break;
    lines.push(head);
    rest = rest.slice(head.length);
  }
  return [...lines, rest];
}

function graphemes(text: string): string[] {
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
}

function graphemeWidth(grapheme: string): number {
  if (zero.test(grapheme)) return 0;
  return wide.test(grapheme) ? 2 : 1;
}
