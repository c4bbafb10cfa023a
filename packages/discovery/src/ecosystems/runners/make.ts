import { type Discovered, type Ecosystem, nothingDiscovered } from '../../discovered.ts';
import { type RepositoryRoot, readManifest } from '../../repository-root.ts';
import { findTargets, type Target } from './targets.ts';

/** In the order in which make looks for them. */
const makefiles = ['GNUmakefile', 'makefile', 'Makefile'];

export const make: Ecosystem = { name: 'Make', find };

async function find(root: RepositoryRoot): Promise<Discovered> {
  const found = nothingDiscovered();
  const file = makefiles.find(root.has);
  const text = file === undefined ? undefined : await readManifest(root, file, found.remarks);
  if (text === undefined) return found;
  const describe = (name: string) => `target "${name}" of ${file}`;
  const targets = findTargets(listTargets(text), { start: 'make', program: 'make', describe });
  // Most C projects build with the first target, whatever its name is.
  if (!targets.commands.build && (setsCompiler.test(text) || callsCompiler.test(text)))
    targets.commands.build = { command: 'make', source: file ?? '', probe: 'command -v make' };
  return { ...targets, remarks: [...found.remarks, ...targets.remarks] };
}

const setsCompiler = /^\s*(?:CC|CXX|CFLAGS|CXXFLAGS)\s*[:?+]?=/m;
const callsCompiler = /^\t[ \t@-]*(?:\$[({](?:CC|CXX)[)}]|(?:gcc|g\+\+|cc|clang|clang\+\+)\s)/m;

const maxLines = 20_000;

/** The names before the colon of each rule, with its recipe. Recipes start with a tab, and `:=` sets a variable. */
function listTargets(text: string): Target[] {
  const targets: Target[] = [];
  let open: Target[] = [];
  for (const line of text.split('\n').slice(0, maxLines)) {
    if (line.startsWith('\t')) for (const target of open) target.lines.push(line.trim());
    if (/^[\t#]/.test(line)) continue;
    const colon = line.indexOf(':');
    const before = line.slice(0, Math.max(0, colon));
    const isRule = colon > 0 && !/^:{0,2}=/.test(line.slice(colon + 1, colon + 4)) && !before.includes('=');
    if (isRule) {
      open =
        before.trim() === ''
          ? []
          : before
              .trim()
              .split(/\s+/)
              .map((name) => ({ name, lines: [] }));
      targets.push(...open);
    }
  }
  return targets;
}
