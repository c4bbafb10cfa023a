/** The sections of a TOML or INI file with their keys, in linear time. Enough to see which tools are configured. */
export type Sections = Map<string, Set<string>>;

export function readSections(text: string): Sections {
  const sections: Sections = new Map();
  let keys = new Set<string>();
  sections.set('', keys);
  for (const line of text.split('\n').map((each) => each.trim())) {
    const end = line.startsWith('[') ? line.indexOf(']') : -1;
    if (end !== -1) {
      const name = line.slice(line.startsWith('[[') ? 2 : 1, end).trim();
      keys = sections.get(name) ?? new Set();
      sections.set(name, keys);
      continue;
    }
    const equals = line.indexOf('=');
    if (equals > 0) keys.add(line.slice(0, equals).trim());
  }
  return sections;
}
