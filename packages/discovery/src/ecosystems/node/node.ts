import { type Check, type Discovered, type Ecosystem, nothingDiscovered } from '../../discovered.ts';
import { choosePackageManager, managersByLockfile } from '../../package-client.ts';
import { type RepositoryRoot, readManifest } from '../../repository-root.ts';
import type { WorkflowCommand } from '../../workflows/read-workflows.ts';
import { chooseChecks } from './choose-checks.ts';
import { type Client, clients } from './clients.ts';
import { parseManifest } from './manifest.ts';
import { readNxTargets } from './nx-targets.ts';
import { findMembers, spreadChecks } from './workspaces.ts';

/** Used without a script, if the tool is both configured and installed. */
const tools: { check: Check; package: string; files: string[]; command: string }[] = [
  { check: 'typecheck', package: 'typescript', files: ['tsconfig.json'], command: 'tsc --noEmit' },
  { check: 'lint', package: '@biomejs/biome', files: ['biome.json', 'biome.jsonc'], command: 'biome lint .' },
  {
    check: 'test',
    package: 'vitest',
    files: ['ts', 'mts', 'js', 'mjs'].map((ending) => `vitest.config.${ending}`),
    command: 'vitest run',
  },
];

const lockfileBytes = 16_000_000;
const headLength = 10_000;

export const node: Ecosystem = { name: 'Node', find };

async function find(root: RepositoryRoot, workflows: WorkflowCommand[] = []): Promise<Discovered> {
  const found = nothingDiscovered();
  const text = await readManifest(root, 'package.json', found.remarks);
  if (text === undefined) {
    const loneLockfile = managersByLockfile.find(([file]) => root.has(file))?.[0];
    if (loneLockfile !== undefined && !root.has('package.json'))
      found.remarks.push(`there is a ${loneLockfile} but no package.json`);
    return found;
  }
  const manifest = parseManifest(text);
  if (manifest === undefined) {
    found.remarks.push('package.json is not valid JSON');
    return found;
  }
  const { manager, lockfile } = await choosePackageManager({
    manifest: text,
    has: root.has,
    readHead: async (name) => {
      const file = root.has(name) ? await root.read(name, lockfileBytes) : undefined;
      return file && 'text' in file ? file.text.slice(0, headLength) : undefined;
    },
  });
  const client = clients[manager];
  const members = await findMembers(root, manifest);
  const needsPackages =
    manifest.packages.size > 0 || manifest.workspaces !== undefined || root.has('pnpm-workspace.yaml');
  if (needsPackages) addInstall(found, client, lockfile);
  const nx = readNxTargets(root, manifest, client);
  const { commands, afterBuild, remarks } = chooseChecks(
    { client, scripts: nx.scripts },
    workflows.filter(({ folder }) => folder === ''),
  );
  Object.assign(found.commands, spreadChecks({ root, manifest, members, client }), nx.commands, commands);
  found.afterBuild = afterBuild;
  found.remarks.push(...remarks);
  const probe = `command -v ${client.program}`;
  for (const tool of tools) {
    const file = tool.files.find(root.has);
    if (found.commands[tool.check] || file === undefined || !manifest.packages.has(tool.package)) continue;
    // A project with workflows runs there what it wants to hold.
    if (workflows.length > 0 && tool.check !== 'test') {
      found.remarks.push(`not used for ${tool.check}: ${tool.command}, which no workflow runs`);
      continue;
    }
    const source = `${file}, ${tool.package} in package.json`;
    found.commands[tool.check] = { command: `${client.exec} ${tool.command}`, source, probe };
  }
  // Bun has a test runner of its own.
  if (manager === 'bun' && !found.commands.test && (await root.paths()).some((path) => bunTest.test(path)))
    found.commands.test = { command: 'bun test', source: 'test files, and bun', probe };
  return found;
}

const bunTest = /(?:\.|_)(?:test|spec)\.[jt]sx?$/;

function addInstall({ setup, remarks }: Discovered, client: Client, lockfile: string | undefined): void {
  const probe = `command -v ${client.program}`;
  const { frozen, outdated, unlocked } = client;
  if (lockfile !== undefined) {
    setup.push({ command: frozen, source: lockfile, probe, registry: 'npm', ifOutdated: outdated });
    return;
  }
  setup.push({ command: unlocked, source: 'package.json', probe, registry: 'npm' });
  remarks.push('there is no lockfile, so each sandbox gets the newest packages that package.json allows');
}
