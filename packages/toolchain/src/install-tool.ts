/** Installs a tool into the shared folder. Several processes may do so at once: the first one wins. */
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import { runProgram } from '@fettle/process';
import type { Registry } from '@fettle/registry';
import { z } from 'zod';
import { downloadArchive, ToolError } from './registry-package.ts';
import { packageOf, type ToolName } from './tool-table.ts';

export const draftPrefix = '.draft-';
const draftHours = 1;
const unpackTimeoutMs = 300_000;
const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' };

export const toolFolder = (tool: ToolName, version: string): string => `${tool}-${version}`;

export async function isInstalled(folder: string, tool: ToolName, version: string): Promise<boolean> {
  return stat(join(folder, toolFolder(tool, version))).then(
    () => true,
    () => false,
  );
}

export async function installTool(
  { folder, registry, signal }: { folder: string; registry: Registry; signal: AbortSignal },
  tool: ToolName,
  version: string,
): Promise<void> {
  if (await isInstalled(folder, tool, version)) return;
  const draft = await mkdtemp(join(folder, draftPrefix));
  try {
    const { name, programs } = packageOf(tool, version);
    const archive = join(draft, 'archive.tgz');
    const finished = join(draft, 'finished');
    const unpacked = join(finished, 'package');
    await mkdir(unpacked, { recursive: true });
    await downloadArchive(registry, { name, version, file: archive }, signal);
    await run(['tar', '-xzf', archive, '-C', unpacked, '--strip-components=1', '--no-same-owner']);
    await linkPrograms(finished, programs ?? (await readPrograms(unpacked)));
    // Each sandbox has another user.
    await run(['chmod', '-R', 'a+rX,go-w', finished]);
    await rename(finished, join(folder, toolFolder(tool, version))).catch(async (error: unknown) => {
      if (!(await isInstalled(folder, tool, version))) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function run(argv: string[]): Promise<void> {
  const { exitCode, stderr } = await runProgram(argv, { environment, timeoutMs: unpackTimeoutMs });
  if (exitCode !== 0) throw new ToolError(`${argv[0]} failed: ${stderr.trim().slice(0, 300)}`);
}

async function linkPrograms(folder: string, programs: Record<string, string>): Promise<void> {
  await mkdir(join(folder, 'bin'));
  for (const [name, given] of Object.entries(programs)) {
    const path = normalize(given);
    if (!/^[\w.-]+$/.test(name) || path.startsWith('..') || path.startsWith('/')) continue;
    await chmod(join(folder, 'package', path), 0o755);
    await symlink(join('..', 'package', path), join(folder, 'bin', name));
  }
}

const manifestSchema = z.object({ bin: z.record(z.string(), z.string()) });

async function readPrograms(unpacked: string): Promise<Record<string, string>> {
  const text = await readFile(join(unpacked, 'package.json'), 'utf8');
  const manifest = manifestSchema.safeParse(JSON.parse(text));
  if (!manifest.success) throw new ToolError('the package names no program');
  return manifest.data.bin;
}

/** Removes the drafts of killed processes. */
export async function clearDrafts(folder: string): Promise<void> {
  const oldest = Date.now() - draftHours * 3_600_000;
  for (const name of await readdir(folder)) {
    if (!name.startsWith(draftPrefix)) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found && found.mtimeMs < oldest) await rm(path, { recursive: true, force: true });
  }
}
