/**
 * A parser for the subset of XML that reports use, in linear time. It supports the five predefined entities and numeric
 * character references. It refuses a document type, which could declare more entities.
 */
export interface XmlHandler {
  open(name: string, attributes: Map<string, string>): void;
  text(text: string): void;
  close(name: string): void;
}

const maxDepth = 50;
const name = /[^\s=/>"'<]+/y;
const space = /\s*/y;

/** Returns whether the document is well formed. If not, the caller must discard what the handler received. */
export function readXml(xml: string, handler: XmlHandler): boolean {
  const opened: string[] = [];
  let at = 0;
  while (at < xml.length) {
    const next = xml.indexOf('<', at);
    if (next === -1) return opened.length === 0;
    if (next > at && opened.length > 0) handler.text(decode(xml.slice(at, next)));
    const end = readMarkup(xml, next, opened, handler);
    if (end === undefined) return false;
    at = end;
  }
  return opened.length === 0;
}

/** Reads the markup that starts at this `<` and returns its end. */
function readMarkup(xml: string, at: number, opened: string[], handler: XmlHandler): number | undefined {
  if (xml.startsWith('<!--', at)) return after(xml, '-->', at + 4);
  if (xml.startsWith('<?', at)) return after(xml, '?>', at + 2);
  if (xml.startsWith('<![CDATA[', at)) {
    const end = after(xml, ']]>', at + 9);
    if (end !== undefined) handler.text(xml.slice(at + 9, end - 3));
    return end;
  }
  if (xml.startsWith('<!', at)) return undefined;
  if (xml.startsWith('</', at)) {
    const end = after(xml, '>', at + 2);
    const closed = end === undefined ? '' : xml.slice(at + 2, end - 1).trim();
    if (opened.pop() !== closed) return undefined;
    handler.close(closed);
    return end;
  }
  return readTag(xml, at + 1, opened, handler);
}

function readTag(xml: string, start: number, opened: string[], handler: XmlHandler): number | undefined {
  const tag = match(name, xml, start);
  if (tag === '' || opened.length >= maxDepth) return undefined;
  const attributes = new Map<string, string>();
  let at = start + tag.length;
  for (;;) {
    at += match(space, xml, at).length;
    const isEmpty = xml.startsWith('/>', at);
    if (isEmpty || xml[at] === '>') {
      handler.open(tag, attributes);
      if (isEmpty) handler.close(tag);
      else opened.push(tag);
      return at + (isEmpty ? 2 : 1);
    }
    const key = match(name, xml, at);
    at += key.length;
    at += match(space, xml, at).length;
    if (key === '' || xml[at] !== '=') return undefined;
    at += 1;
    at += match(space, xml, at).length;
    const quote = xml[at];
    if (quote !== '"' && quote !== "'") return undefined;
    const end = xml.indexOf(quote, at + 1);
    if (end === -1) return undefined;
    attributes.set(key, decode(xml.slice(at + 1, end)));
    at = end + 1;
  }
}

function after(xml: string, mark: string, from: number): number | undefined {
  const found = xml.indexOf(mark, from);
  return found === -1 ? undefined : found + mark.length;
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function decode(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(lt|gt|amp|quot|apos));/g, (whole, ...found) => {
    const [decimal, hexadecimal, entity] = found as (string | undefined)[];
    if (entity !== undefined) return entities[entity] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
