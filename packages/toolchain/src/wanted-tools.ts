/** Reads which tools, in which versions, the files of a repository name. */
import { choosePackageManager, findProjects, openFolder, type RepositoryRoot } from '@fettle/discovery';
import { validRange } from 'semver';
import { z } from 'zod';
import { ltsNames, type ToolName } from './tool-table.ts';

export interface WantedTool {
  tool: ToolName;
  /** A version or a range. Undefined if the repository names none. */
  range: string | undefined;
  /** The file that calls for it. */
  source: string;
}

type Named = Partial<Record<ToolName, { range: string; source: string }>>;

export const enginesSource = 'engines in package.json';

const maxBytes = 1_000_000;
const lockfileBytes = 16_000_000;
const headLength = 10_000;

/** Where the root has no package.json, the projects in its folders name their tools. */
export async function findWantedTools(root: RepositoryRoot): Promise<WantedTool[]> {
  const wanted = await findWantedIn(root);
  if (root.has('package.json')) return wanted;
  for (const folder of await findProjects(root)) {
    for (const tool of await findWantedIn(await openFolder(root, folder)))
      if (!wanted.some((each) => each.tool === tool.tool))
        wanted.push({ ...tool, source: `${folder}: ${tool.source}` });
  }
  return wanted;
}

async function findWantedIn(root: RepositoryRoot): Promise<WantedTool[]> {
  const read = async (name: string, limit = maxBytes) => {
    const file = root.has(name) ? await root.read(name, limit) : undefined;
    return file && 'text' in file ? file.text : undefined;
  };
  const manifest = await read('package.json');
  const named = await readNamed(read, manifest);
  const wanted: WantedTool[] = [];
  const want = (tool: ToolName, source: string, range?: string) =>
    wanted.push({ tool, range: range ?? named[tool]?.range, source: named[tool]?.source ?? source });
  if (manifest !== undefined || named.node) want('node', 'package.json');
  if (manifest !== undefined) {
    const readHead = async (name: string) => (await read(name, lockfileBytes))?.slice(0, headLength);
    const { manager, version, lockfile } = await choosePackageManager({ manifest, has: root.has, readHead });
    const source = version === undefined ? (lockfile ?? 'package.json') : 'packageManager in package.json';
    const byLockfile = manager === 'pnpm' ? pnpmFor(await readHead('pnpm-lock.yaml')) : undefined;
    want(manager, source, version ?? named[manager]?.range ?? byLockfile);
    if (manager !== 'npm') want('npm', 'package.json');
  }
  const denoFile = ['deno.json', 'deno.jsonc', 'deno.lock'].find(root.has);
  if (named.deno || denoFile) want('deno', denoFile ?? '');
  if (named.bun && !wanted.some(({ tool }) => tool === 'bun')) want('bun', '');
  return wanted;
}

/** The newest pnpm that writes this format of the lockfile. */
function pnpmFor(lockfile: string | undefined): string | undefined {
  const format = /^lockfileVersion:\s*'?(\d+)/m.exec(lockfile ?? '')?.[1];
  return { '5': '^7', '6': '^8', '9': '^10' }[format ?? ''];
}

async function readNamed(
  read: (name: string) => Promise<string | undefined>,
  manifest: string | undefined,
): Promise<Named> {
  const named: Named = {};
  const name = (tool: ToolName, text: unknown, source: string) => {
    const range = typeof text === 'string' ? toRange(tool, text) : undefined;
    if (range !== undefined) named[tool] ??= { range, source };
  };
  for (const file of ['.nvmrc', '.node-version']) name('node', firstLine(await read(file)), file);
  name('bun', firstLine(await read('.bun-version')), '.bun-version');
  const { volta, engines, devEngines } = readManifest(manifest);
  for (const [key, text] of Object.entries(volta)) nameProgram(name, key, text, 'volta in package.json');
  for (const file of ['mise.toml', '.mise.toml'])
    for (const [key, text] of readMise((await read(file)) ?? '')) nameProgram(name, key, text, file);
  for (const [key, text] of readToolVersions((await read('.tool-versions')) ?? ''))
    nameProgram(name, key, text, '.tool-versions');
  for (const { name: key, version } of devEngines)
    nameProgram(name, key, version, 'devEngines in package.json');
  for (const [key, text] of Object.entries(engines)) nameProgram(name, key, text, enginesSource);
  return named;
}

function nameProgram(
  name: (tool: ToolName, text: unknown, source: string) => void,
  program: string,
  text: unknown,
  source: string,
): void {
  const simple: Record<string, ToolName> = {
    ...{ node: 'node', nodejs: 'node', npm: 'npm', pnpm: 'pnpm', bun: 'bun', deno: 'deno' },
  };
  const tool = Object.hasOwn(simple, program) ? simple[program] : undefined;
  if (tool) name(tool, text, source);
  if (program !== 'yarn') return;
  // Yarn 1 and later versions are different programs, and a range may allow both.
  name(/^\D*1(\D|$)/.test(String(text)) ? 'yarn-classic' : 'yarn', text, source);
}

/** Undefined for an unknown name, and for names of the newest release: Fettle's own Node is recent enough. */
function toRange(tool: ToolName, text: string): string | undefined {
  const trimmed = text.trim().toLowerCase().slice(0, 200);
  const lts = tool === 'node' ? /^lts\/(\w+)$/.exec(trimmed)?.[1] : undefined;
  if (lts !== undefined) return Object.hasOwn(ltsNames, lts) ? ltsNames[lts] : undefined;
  const range = validRange(trimmed.replace(/^v(?=\d)/, ''));
  return range === null || range === '*' ? undefined : trimmed.replace(/^v(?=\d)/, '');
}

const firstLine = (text: string | undefined) =>
  text
    ?.split('\n', 50)
    .map((line) => line.replace(/#.*/, '').trim())
    .find((line) => line !== '');

const strings = z.record(z.string(), z.unknown()).catch({});
const engine = z.object({ name: z.string(), version: z.string() });
const manifestSchema = z.object({
  volta: strings.default({}),
  engines: strings.default({}),
  devEngines: z
    .object({
      runtime: z.union([engine, z.array(engine)]),
      packageManager: z.union([engine, z.array(engine)]),
    })
    .partial()
    .catch({})
    .default({}),
});

function readManifest(text: string | undefined) {
  let value: unknown;
  try {
    value = JSON.parse(text ?? '{}');
  } catch {}
  const { data } = manifestSchema.safeParse(value ?? {});
  const { runtime = [], packageManager = [] } = data?.devEngines ?? {};
  return {
    volta: data?.volta ?? {},
    engines: data?.engines ?? {},
    devEngines: [runtime, packageManager].flat().slice(0, 20),
  };
}

/** The section `[tools]` of mise.toml: `node = "22"` and `node = ["22", "20"]`. */
function readMise(text: string): [string, string][] {
  let isTools = false;
  return text.split('\n', 1_000).flatMap((line): [string, string][] => {
    if (/^\s*\[/.test(line)) isTools = line.trim() === '[tools]';
    const [, key, version] = /^\s*"?([a-z]+)"?\s*=\s*\[?\s*["']([^"']{1,50})["']/.exec(line) ?? [];
    return isTools && key !== undefined && version !== undefined ? [[key, version]] : [];
  });
}

/** `nodejs 22.1.0`, one tool on each line. */
function readToolVersions(text: string): [string, string][] {
  return text.split('\n', 1_000).flatMap((line): [string, string][] => {
    const [key, version] = line.replace(/#.*/, '').trim().split(/\s+/, 2);
    return key !== undefined && version !== undefined ? [[key, version]] : [];
  });
}
