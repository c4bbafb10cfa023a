import type { RepositoryRoot } from '@fettle/discovery';

/** An in-memory repository root. */
export function rootOf(files: Record<string, string>): RepositoryRoot {
  const texts = new Map(Object.entries(files));
  return {
    has: (name) => texts.has(name) && !name.includes('/'),
    async read(name) {
      const text = texts.get(name);
      return text === undefined ? undefined : { text };
    },
    paths: async () => [...texts.keys()],
  };
}
