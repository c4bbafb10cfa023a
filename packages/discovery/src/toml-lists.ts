/** The strings of a list in a TOML file, such as `tests = ["pytest", "trio"]`, in linear time. */
const maxEntries = 200;

export function readList(text: string, section: string, key: string): string[] {
  const entries: string[] = [];
  let current = '';
  let isOpen = false;
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (!isOpen && line.startsWith('[') && line.endsWith(']')) {
      current = line.replace(/^\[+|\]+$/g, '').trim();
      continue;
    }
    const equals = line.indexOf('=');
    const starts: boolean = !isOpen && current === section && line.slice(0, equals).trim() === key;
    if (!isOpen && !starts) continue;
    // A table in the list, such as `{ include-group = "test" }`, holds no entry.
    const rest: string = (starts ? line.slice(equals + 1).trim() : line).replaceAll(
      /("[^"]*"|'[^']*')|\{[^{}]*\}/g,
      '$1',
    );
    if (starts && !rest.startsWith('[')) continue;
    // A quoted text may contain brackets: `flask[async]`.
    const bare = rest.replaceAll(/"[^"]*"|'[^']*'/g, '').split('#', 1)[0] ?? '';
    if (!rest.startsWith('#'))
      for (const [, double, single] of rest.matchAll(/"([^"]*)"|'([^']*)'/g))
        if (entries.length < maxEntries) entries.push(double ?? single ?? '');
    isOpen = !bare.includes(']');
    if (!isOpen) return entries;
  }
  return entries;
}
