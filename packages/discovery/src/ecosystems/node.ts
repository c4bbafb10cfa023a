import { z } from 'zod';
import { type Check, type Discovered, type Ecosystem, nothingDiscovered } from '../discovered.ts';
import { choosePackageManager, managersByLockfile, type PackageManager } from '../package-client.ts';
import { type RepositoryRoot, readManifest } from '../repository-root.ts';

interface Client {
  install: string;
  program: string;
  test: string;
  run: string;
  exec: string;
}

const clients: Record<PackageManager, Client> = {
  npm: { install: 'npm ci', program: 'npm', test: 'npm test', run: 'npm run', exec: 'npx --no-install' },
  pnpm: {
    install: 'pnpm install --frozen-lockfile',
    program: 'pnpm',
    test: 'pnpm test',
    run: 'pnpm run',
    exec: 'pnpm exec',
  },
  'yarn-classic': {
    install: 'yarn install --frozen-lockfile',
    program: 'yarn',
    test: 'yarn test',
    run: 'yarn run',
    exec: 'yarn run',
  },
  yarn: {
    install: 'yarn install --immutable',
    program: 'yarn',
    test: 'yarn test',
    run: 'yarn run',
    exec: 'yarn run',
  },
  // `bun test` starts Bun's own test runner, not the script.
  bun: {
    install: 'bun install --frozen-lockfile',
    program: 'bun',
    test: 'bun run test',
    run: 'bun run',
    exec: 'bun x --no-install',
  },
};

const scriptNames: Record<Check, string[]> = {
  typecheck: ['typecheck', 'type-check', 'check:types', 'check-types', 'types:check', 'tsc'],
  lint: ['lint', 'lint:check'],
  format: ['format:check', 'check:format', 'fmt:check', 'check:fmt', 'format-check', 'prettier:check'],
  test: ['test', 'test:unit'],
  build: ['build'],
};

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

const npmPlaceholder = 'no test specified';
const watching = /\s--watch(All)?(\s|$)/;
const lockfileBytes = 16_000_000;
const headLength = 10_000;

export const node: Ecosystem = { name: 'Node', find };

async function find(root: RepositoryRoot): Promise<Discovered> {
  const found = nothingDiscovered();
  const manifest = await readManifest(root, 'package.json', found.remarks);
  const loneLockfile = managersByLockfile.find(([file]) => root.has(file))?.[0];
  if (manifest === undefined) {
    if (loneLockfile !== undefined && !root.has('package.json'))
      found.remarks.push(`there is a ${loneLockfile} but no package.json`);
    return found;
  }
  const parsed = parseManifest(manifest);
  if (parsed === undefined) {
    found.remarks.push('package.json is not valid JSON');
    return found;
  }
  const { manager, lockfile } = await choosePackageManager({
    manifest,
    has: root.has,
    readHead: async (name) => {
      const file = root.has(name) ? await root.read(name, lockfileBytes) : undefined;
      return file && 'text' in file ? file.text.slice(0, headLength) : undefined;
    },
  });
  const client = clients[manager];
  const probe = `command -v ${client.program}`;
  const needsPackages = parsed.packages.size > 0 || parsed.hasWorkspaces || root.has('pnpm-workspace.yaml');
  const installs = needsPackages && lockfile !== undefined;
  if (installs) found.setup.push({ command: client.install, source: lockfile, probe, registry: 'npm' });
  else if (needsPackages)
    found.remarks.push('package.json has dependencies but there is no lockfile, so they are not installed');
  addScripts(found, parsed.scripts, client);
  for (const tool of tools) {
    const file = tool.files.find(root.has);
    if (!installs || found.commands[tool.check] || file === undefined || !parsed.packages.has(tool.package))
      continue;
    const source = `${file}, ${tool.package} in package.json`;
    found.commands[tool.check] = { command: `${client.exec} ${tool.command}`, source, probe };
  }
  return found;
}

function addScripts({ commands, remarks }: Discovered, scripts: Map<string, string>, client: Client): void {
  const probe = `command -v ${client.program}`;
  for (const [check, names] of Object.entries(scriptNames) as [Check, string[]][]) {
    for (const name of names) {
      const script = scripts.get(name);
      if (script === undefined || script.trim() === '' || script.includes(npmPlaceholder)) continue;
      if (watching.test(script)) {
        remarks.push(`not used for ${check}: script "${name}" of package.json watches files and never exits`);
        continue;
      }
      const command = name === 'test' ? client.test : `${client.run} ${name}`;
      commands[check] = { command, source: `script "${name}" of package.json`, probe };
      break;
    }
  }
}

const record = z.record(z.string(), z.unknown()).optional().catch(undefined);
const manifestSchema = z.object({
  scripts: record,
  dependencies: record,
  devDependencies: record,
  optionalDependencies: record,
  workspaces: z.unknown().optional(),
});

function parseManifest(text: string) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const parsed = manifestSchema.safeParse(value);
  if (!parsed.success) return undefined;
  const { scripts = {}, dependencies, devDependencies, optionalDependencies, workspaces } = parsed.data;
  const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string';
  return {
    scripts: new Map(Object.entries(scripts).filter(isText)),
    packages: new Set(
      Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }),
    ) as ReadonlySet<string>,
    hasWorkspaces: workspaces !== undefined && workspaces !== null,
  };
}
