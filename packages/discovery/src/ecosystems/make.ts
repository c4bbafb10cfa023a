import { type Check, type Discovered, type Ecosystem, nothingDiscovered } from '../discovered.ts';
import { type RepositoryRoot, readManifest } from '../repository-root.ts';

/** In the order in which make looks for them. */
const makefiles = ['GNUmakefile', 'makefile', 'Makefile'];

const targetNames: Record<Check, string[]> = {
  typecheck: ['typecheck', 'type-check'],
  lint: ['lint'],
  format: ['fmt-check', 'format-check', 'check-format', 'check-fmt'],
  test: ['test', 'check'],
  build: ['build'],
};

export const make: Ecosystem = { name: 'Make', find };

async function find(root: RepositoryRoot): Promise<Discovered> {
  const found = nothingDiscovered();
  const file = makefiles.find(root.has);
  const text = file === undefined ? undefined : await readManifest(root, file, found.remarks);
  if (text === undefined) return found;
  const targets = listTargets(text);
  for (const [check, names] of Object.entries(targetNames) as [Check, string[]][]) {
    const target = names.find((name) => targets.has(name));
    if (target === undefined) continue;
    const source = `target "${target}" of ${file}`;
    found.commands[check] = { command: `make ${target}`, source, probe: 'command -v make' };
  }
  return found;
}

/** The names before the colon of each rule. Recipes start with a tab, and `:=` sets a variable. */
function listTargets(text: string): Set<string> {
  const rules = text.split('\n').filter((line) => !/^[\t#]/.test(line));
  return new Set(
    rules.flatMap((line) => {
      const colon = line.indexOf(':');
      const isRule = colon > 0 && !/^:{0,2}=/.test(line.slice(colon + 1, colon + 4));
      const before = line.slice(0, colon);
      return isRule && !before.includes('=') ? before.trim().split(/\s+/) : [];
    }),
  );
}
