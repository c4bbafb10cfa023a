/** The tools on this machine: resolves the versions that a repository names, and downloads what is missing. */
import { mkdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { RepositoryRoot } from '@fettle/discovery';
import type { Registry } from '@fettle/registry';
import type { ToolStore } from '@fettle/sandbox';
import { intersects, major, maxSatisfying, satisfies, valid } from 'semver';
import { clearDrafts, installTool, isInstalled, toolFolder } from './install-tool.ts';
import { readPackument, ToolError } from './registry-package.ts';
import { storeTool } from './store-tool.ts';
import { defaultRanges, listedPackage, npmRanges, type ToolName } from './tool-table.ts';
import { enginesSource, findWantedTools, type WantedTool } from './wanted-tools.ts';

export interface PreparedTool {
  tool: ToolName;
  version: string;
  /** The file that calls for it. */
  source: string;
  /** The name of its folder. Undefined for Fettle's own Node. */
  folder?: string;
}

export interface PreparedTools {
  tools: PreparedTool[];
  /** What could not be provided, or was replaced, and why. */
  problems: string[];
}

export interface PrepareOptions {
  /** Whether the sandbox has an npm of its own, which is good enough for Fettle's own Node. */
  hasNpm(): Promise<boolean>;
  /** Where the sandbox has its tools. By default the folder of this machine. */
  store?: ToolStore | undefined;
  signal: AbortSignal;
}

export interface Toolchain {
  prepare(root: RepositoryRoot, options: PrepareOptions): Promise<PreparedTools>;
}

export const ownNodeVersion = process.versions.node;

/** Where all tools of a home are. Sandboxes can read this folder. */
export function toolsFolder(home: string): string {
  return join(resolve(home), 'tools', 'npm');
}

/** The digests of the tools that are in stores. Containers cannot read this folder. */
function digestsFolder(home: string): string {
  return join(resolve(home), 'tools', 'digests');
}

export function openToolchain(home: string, registry: Registry): Toolchain {
  const [onMachine, inStores] = [toolsFolder(home), digestsFolder(home)];
  for (const folder of [onMachine, inStores]) {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    clearDrafts(folder).catch(() => {});
  }
  return {
    async prepare(root, options) {
      const { store, signal } = options;
      const context = { folder: store === undefined ? onMachine : inStores, registry, store, signal };
      const prepared: PreparedTools = { tools: [], problems: [] };
      let node = ownNodeVersion;
      for (const named of await findWantedTools(root)) {
        const wanted = isTooOld(named) ? { ...named, range: undefined } : named;
        if (wanted !== named) prepared.problems.push(describeTooOld(named));
        if (wanted.tool === 'npm' && node === ownNodeVersion && (await options.hasNpm())) continue;
        try {
          const tool = await provide(context, wanted, node);
          prepared.tools.push(tool);
          if (tool.tool === 'node') node = tool.version;
        } catch (error) {
          if (options.signal.aborted || !(error instanceof ToolError)) throw error;
          const what = `${wanted.tool}${wanted.range === undefined ? '' : ` ${wanted.range}`}`;
          prepared.problems.push(`${what} (${wanted.source}) could not be provided: ${error.message}`);
        }
      }
      return prepared;
    },
  };
}

/** Current tools and their dependencies do not run on older ones. */
const oldestNode = 18;

/** `engines` says what a package supported once. A file such as .nvmrc names a version on purpose. */
function isTooOld({ tool, range, source }: WantedTool): boolean {
  return (
    tool === 'node' &&
    range !== undefined &&
    source.endsWith(enginesSource) &&
    !intersects(range, `>=${oldestNode}`)
  );
}

function describeTooOld({ range, source }: WantedTool): string {
  return `${source} allows only Node ${range}, all older than ${oldestNode}; Fettle's own Node ${ownNodeVersion} is used`;
}

interface Context {
  /** Has one entry for each tool that was provided before. */
  folder: string;
  registry: Registry;
  store: ToolStore | undefined;
  signal: AbortSignal;
}

async function provide(context: Context, wanted: WantedTool, node: string): Promise<PreparedTool> {
  const { tool, source } = wanted;
  if (tool === 'node' && (wanted.range === undefined || satisfies(ownNodeVersion, wanted.range)))
    return { tool, version: ownNodeVersion, source };
  const range = tool === 'npm' ? npmRangeFor(node) : (wanted.range ?? defaultRange(tool));
  const version = await resolveVersion(context, tool, range);
  const { store } = context;
  if (store !== undefined) {
    return { tool, version, source, folder: await storeTool({ ...context, store }, tool, version) };
  }
  await installTool(context, tool, version);
  return { tool, version, source, folder: toolFolder(tool, version) };
}

const defaultRange = (tool: ToolName) => (tool === 'node' ? ownNodeVersion : defaultRanges[tool]);

/** The npm that a repository names is ignored: one that runs on its Node is enough. */
const npmRangeFor = (node: string) => npmRanges.find(([range]) => satisfies(node, range))?.[1] ?? '^6';

async function resolveVersion({ folder, registry, signal }: Context, tool: ToolName, range: string) {
  const exact = valid(range) ?? undefined;
  if (exact !== undefined && (await isInstalled(folder, tool, exact))) return exact;
  const installed = (await readdir(folder)).flatMap((name) =>
    name.startsWith(`${tool}-`) ? [name.slice(tool.length + 1)] : [],
  );
  const here = maxSatisfying(installed, range);
  if (here !== null) return here;
  const { versions } = await readPackument(registry, listedPackage(tool), signal);
  const listed = Object.keys(versions);
  // Not every release is published as an npm package; another one of the same major version is close enough.
  const found =
    maxSatisfying(listed, range) ?? (exact && maxSatisfying(listed, `^${major(exact)}`)) ?? undefined;
  if (found === undefined) throw new ToolError(`the registry has no version for ${range}`);
  return found;
}
