/** Task, the runner with a `Taskfile.yml`. */
import { readYaml } from '@fettle/contract/read-yaml';
import { z } from 'zod';
import { type Discovered, type Ecosystem, nothingDiscovered } from '../../discovered.ts';
import { type RepositoryRoot, readManifest } from '../../repository-root.ts';
import { findTargets } from './targets.ts';

const files = ['Taskfile.yml', 'taskfile.yml', 'Taskfile.yaml', 'taskfile.yaml', 'Taskfile.dist.yml'];

export const task: Ecosystem = { name: 'Task', find };

const line = z.union([z.string(), z.object({ cmd: z.string() }).transform(({ cmd }) => cmd)]).catch('');
const lines = z.union([z.string().transform((text) => [text]), z.array(line)]).catch([]);
const entry = z.union([
  z
    .object({ cmds: lines.optional(), cmd: z.string().optional(), watch: z.boolean().optional() })
    .transform(({ cmds, cmd, watch }) => [
      ...(cmds ?? []),
      ...(cmd === undefined ? [] : [cmd]),
      ...(watch ? ['watch'] : []),
    ]),
  lines,
]);
const schema = z.object({ tasks: z.record(z.string(), entry.catch([])).catch({}) });

async function find(root: RepositoryRoot): Promise<Discovered> {
  const found = nothingDiscovered();
  const file = files.find(root.has);
  const text = file === undefined ? undefined : await readManifest(root, file, found.remarks);
  if (text === undefined) return found;
  const reading = readYaml(text, schema);
  if (!reading.ok)
    return { ...found, remarks: [...found.remarks, `${file} could not be read: ${reading.message}`] };
  const targets = Object.entries(reading.value.tasks).map(([name, commands]) => ({ name, lines: commands }));
  const describe = (name: string) => `task "${name}" of ${file}`;
  const tasks = findTargets(targets, { start: 'task', program: 'task', describe });
  return { ...tasks, remarks: [...found.remarks, ...tasks.remarks] };
}
