import { readYaml } from '@fettle/contract/read-yaml';
import { z } from 'zod';
import {
  type Check,
  type Discovered,
  type Ecosystem,
  type FoundCommand,
  nothingDiscovered,
} from '../discovered.ts';
import { type RepositoryRoot, readManifest } from '../repository-root.ts';
import type { WorkflowCommand } from '../workflows/read-workflows.ts';

const manifests = ['deno.json', 'deno.jsonc'];
const probe = 'command -v deno';

const taskNames: Record<Check, string[]> = {
  typecheck: ['typecheck', 'type-check', 'check:types', 'check'],
  lint: ['lint'],
  format: ['fmt:check', 'format:check', 'check:fmt', 'fmt-check'],
  test: ['test', 'test:unit'],
  build: ['build'],
};
const testFile = /(?:^|\/)(?:test|[^/]+[._]test)\.[mc]?[jt]sx?$/;

const schema = z.object({ tasks: z.record(z.string(), z.unknown()).catch({}).default({}) });

export const deno: Ecosystem = { name: 'Deno', find };

async function find(root: RepositoryRoot, workflows: WorkflowCommand[] = []): Promise<Discovered> {
  const found = nothingDiscovered();
  const file = manifests.find(root.has);
  const text = file === undefined ? undefined : await readManifest(root, file, found.remarks);
  if (file === undefined || text === undefined) return found;
  const reading = readYaml(withoutComments(text), schema);
  if (!reading.ok) {
    found.remarks.push(`${file} cannot be read`);
    return found;
  }
  const { tasks } = reading.value;
  const add = (check: Check, command: string, source: string) => {
    found.commands[check] ??= { command, source, probe } satisfies FoundCommand;
  };
  for (const { line, folder, source } of workflows) {
    const check = folder === '' ? checkOf(line, tasks) : undefined;
    if (check) add(check, line, source);
  }
  for (const [check, names] of Object.entries(taskNames) as [Check, string[]][]) {
    const name = names.find((each) => Object.hasOwn(tasks, each));
    if (name !== undefined) add(check, `deno task ${name}`, `task "${name}" of ${file}`);
  }
  const hasTests = (await root.paths()).some((path) => testFile.test(path));
  if (hasTests) add('test', 'deno test -A', file);
  add('lint', 'deno lint', file);
  const isLocked = root.has('deno.lock');
  const source = isLocked ? 'deno.lock' : file;
  const install = isLocked ? 'deno install --frozen' : 'deno install --no-lock';
  found.setup.push({
    ...{ command: install, source, probe, registry: 'npm' },
    ...(isLocked && { ifOutdated: 'deno install' }),
  });
  // Modules may name packages that deno.json does not.
  if (hasTests)
    found.setup.push({
      command: `deno test --no-run --no-check${isLocked ? '' : ' --no-lock'}`,
      ...{ source: file, probe, registry: 'npm' },
    });
  return found;
}

const commands: [Check, RegExp][] = [
  ['format', /^deno fmt --check$/],
  ['lint', /^deno lint$/],
  ['typecheck', /^deno check\b/],
  ['test', /^deno test\b/],
];

/** A task of a usual name, or Deno's own commands. */
function checkOf(line: string, tasks: Record<string, unknown>): Check | undefined {
  const name = /^deno task ([\w:.-]+)$/.exec(line)?.[1];
  if (name === undefined) return commands.find(([, pattern]) => pattern.test(line))?.[0];
  if (!Object.hasOwn(tasks, name)) return undefined;
  return (Object.entries(taskNames) as [Check, string[]][]).find(([, names]) => names.includes(name))?.[0];
}

/** JSON with comments at the start of a line. YAML can read the rest, such as commas at the end. */
function withoutComments(text: string): string {
  return text
    .split('\n')
    .map((line) => (/^\s*\/\//.test(line) ? '' : line.replace(/([,{[\]}"\w])\s+\/\/ .*$/, '$1')))
    .join('\n')
    .replaceAll('\t', ' ');
}
