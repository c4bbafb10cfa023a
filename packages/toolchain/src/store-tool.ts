/**
 * Puts a tool into the store of a sandbox, where the tools are not a folder of this machine. This machine keeps only the
 * digest of each archive: with it, it asks for the tool by its content, and never for what another process has put there.
 */
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sandboxToolFolder, sandboxToolSchema, type ToolName } from '@fettle/contract';
import type { Registry } from '@fettle/registry';
import { SandboxError, type ToolStore } from '@fettle/sandbox';
import { draftPrefix, toolFolder } from './install-tool.ts';
import { downloadArchive, ToolError } from './registry-package.ts';
import { packageOf } from './tool-table.ts';

/** What `uname -m` prints for the architectures that the packages are named after. */
const machines: Record<string, string> = { x64: 'x86_64', arm64: 'aarch64' };

export interface StorePlace {
  /** The folder of the digests. */
  folder: string;
  registry: Registry;
  store: ToolStore;
  signal: AbortSignal;
}

/** Returns the name of the tool's folder in the store. */
export async function storeTool(place: StorePlace, tool: ToolName, version: string): Promise<string> {
  const { store, signal } = place;
  const { folders, machine } = await store.look(signal);
  if (machine !== machines[process.arch])
    throw new ToolError(`the sandbox is for ${machine || 'another architecture'}`);
  const known = await readDigest(place, tool, version);
  if (known !== undefined && folders.includes(known.folder)) return known.folder;
  const folder = await addTool(place, tool, version, known?.digest);
  if (!(await store.look(signal)).folders.includes(folder))
    throw new ToolError('the sandbox does not see it, although it was added');
  return folder;
}

async function readDigest({ folder }: StorePlace, tool: ToolName, version: string) {
  const digest = await readFile(join(folder, toolFolder(tool, version)), 'utf8').catch(() => undefined);
  const parsed = sandboxToolSchema.safeParse({ tool, version, digest });
  return parsed.success ? { digest: parsed.data.digest, folder: sandboxToolFolder(parsed.data) } : undefined;
}

async function addTool(
  { folder, registry, store, signal }: StorePlace,
  tool: ToolName,
  version: string,
  known: string | undefined,
): Promise<string> {
  const draft = await mkdtemp(join(folder, draftPrefix));
  try {
    const file = join(draft, 'archive.tgz');
    const { name } = packageOf(tool, version);
    const digest = await downloadArchive(registry, { name, version, file }, signal);
    if (known !== undefined && digest !== known)
      throw new ToolError(`the registry lists another digest for ${name}@${version} than before`);
    const parsed = sandboxToolSchema.safeParse({ tool, version, digest });
    if (!parsed.success) throw new ToolError(`${version} is not an exact version`);
    await store.add(parsed.data, file, signal).catch((error: unknown) => {
      throw error instanceof SandboxError ? new ToolError(error.message) : error;
    });
    await writeFile(join(draft, 'digest'), digest);
    await rename(join(draft, 'digest'), join(folder, toolFolder(tool, version)));
    return sandboxToolFolder(parsed.data);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
