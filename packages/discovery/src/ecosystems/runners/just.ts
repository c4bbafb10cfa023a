import { type Discovered, type Ecosystem, nothingDiscovered } from '../../discovered.ts';
import { type RepositoryRoot, readManifest } from '../../repository-root.ts';
import { findTargets, type Target } from './targets.ts';

const files = ['justfile', 'Justfile', '.justfile', 'JUSTFILE'];

export const just: Ecosystem = { name: 'just', find };

async function find(root: RepositoryRoot): Promise<Discovered> {
  const found = nothingDiscovered();
  const file = files.find(root.has);
  const text = file === undefined ? undefined : await readManifest(root, file, found.remarks);
  if (text === undefined) return found;
  const describe = (name: string) => `recipe "${name}" of ${file}`;
  const recipes = findTargets(listRecipes(text), { start: 'just', program: 'just', describe });
  return { ...recipes, remarks: [...found.remarks, ...recipes.remarks] };
}

/** `name param='x': dependency (other 'argument')`, and indented lines. A required parameter has no default. */
function listRecipes(text: string): Target[] {
  const recipes: Target[] = [];
  let open: Target | undefined;
  for (const line of text.split('\n')) {
    if (/^[ \t]/.test(line)) {
      open?.lines.push(line.trim());
      continue;
    }
    const [, name, parameters = '', dependencies = ''] =
      /^@?([\w-]+)([^:=]*(?:=[^:=]*)*):(?!=)(.*)$/.exec(line) ?? [];
    if (line.trim() !== '') open = undefined;
    const needsArguments = parameters.split(/\s+/).some((word) => /^[\w$-]+$/.test(word));
    if (name === undefined || needsArguments) continue;
    open = { name, lines: [] };
    // A dependency with arguments is the command itself, such as `(watch 'test')`.
    if (dependencies.includes('(')) open.lines.push(`(${dependencies.trim().slice(0, 500)}`);
    recipes.push(open);
  }
  return recipes;
}
