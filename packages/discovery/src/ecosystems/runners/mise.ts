/** The tasks of mise. Its tools are a matter of the toolchain. */
import { type Discovered, type Ecosystem, nothingDiscovered } from '../../discovered.ts';
import { type RepositoryRoot, readManifest } from '../../repository-root.ts';
import { findTargets, type Target } from './targets.ts';

const files = ['mise.toml', '.mise.toml'];

export const mise: Ecosystem = { name: 'mise', find };

async function find(root: RepositoryRoot): Promise<Discovered> {
  const found = nothingDiscovered();
  const file = files.find(root.has);
  const text = file === undefined ? undefined : await readManifest(root, file, found.remarks);
  if (text === undefined) return found;
  const describe = (name: string) => `task "${name}" of ${file}`;
  const tasks = findTargets(listTasks(text), { start: 'mise run', program: 'mise', describe });
  return { ...tasks, remarks: [...found.remarks, ...tasks.remarks] };
}

/** `[tasks.test]` with `run = "…"`, or `test = "…"` in `[tasks]`. */
function listTasks(text: string): Target[] {
  const tasks = new Map<string, Target>();
  let section = '';
  for (const line of text.split('\n')) {
    const [, name] = /^\s*\[+([^\]]+)\]/.exec(line) ?? [];
    if (name !== undefined) section = name.trim();
    const [, own] = /^tasks\.["']?([\w:.-]+)["']?$/.exec(section) ?? [];
    const [, key = '', value = ''] = /^\s*["']?([\w:.-]+)["']?\s*=\s*(.*)$/.exec(line) ?? [];
    const task = own ?? (section === 'tasks' && key !== '' ? key : undefined);
    if (task === undefined) continue;
    const known = tasks.get(task) ?? { name: task, lines: [] };
    tasks.set(task, known);
    if (own === undefined || key === 'run') known.lines.push(value.replace(/^["'[\s]+|["'\]\s]+$/g, ''));
  }
  return [...tasks.values()];
}
