const LIST = /^\{([A-Za-z0-9_./@+:*?-]*(?:,[A-Za-z0-9_./@+:*?-]*)+)\}$/;
const RANGE = /^\{(0|-?[1-9][0-9]{0,5})\.\.(0|-?[1-9][0-9]{0,5})\}$/;
const MAX_CHOICES = 100;

/** The alternatives of `{a,b}` or `{1..9}`. Undefined for anything other than a plain list or range. */
export function expandBraces(text: string): string[] | undefined {
  const list = LIST.exec(text)?.[1];
  if (list !== undefined) return list.split(',');
  const range = RANGE.exec(text);
  if (range === null) return undefined;
  const [from, to] = [Number(range[1]), Number(range[2])];
  const count = Math.abs(to - from) + 1;
  const direction = Math.sign(to - from);
  if (count > MAX_CHOICES) return undefined;
  return Array.from({ length: count }, (_, index) => String(from + index * direction));
}
