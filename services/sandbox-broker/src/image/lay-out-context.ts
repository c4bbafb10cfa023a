/**
 * Lays out the files of the sandbox image: the workspace's Node, the package managers, and the toolbox with its two
 * dependencies. Files are copied, because an engine does not follow links out of a context.
 */
import { copyFile, cp, mkdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Architecture, packageManagersFor } from './package-managers.ts';
import { unpackPackage } from './unpack-package.ts';

const workspace = join(import.meta.dirname, '../../../..');
const toolboxSource = join(workspace, 'packages/sandbox');

export async function layOutContext(
  folder: string,
  architecture: Architecture,
  environment: Record<string, string>,
): Promise<void> {
  await copyFile(await findNode(folder, architecture, environment), join(folder, 'node'));
  for (const [name, fixed] of Object.entries(packageManagersFor(architecture))) {
    await cp(await unpackPackage({ ...fixed, folder, environment }), join(folder, name), { recursive: true });
  }
  await layOutToolbox(join(folder, 'toolbox'));
  await rm(join(folder, 'unpacked'), { recursive: true, force: true });
}

async function findNode(
  folder: string,
  architecture: Architecture,
  environment: Record<string, string>,
): Promise<string> {
  if (process.platform === 'linux' && process.arch === architecture) return process.execPath;
  const name = `node-linux-${architecture}`;
  const manifest = JSON.parse(await readFile(join(workspace, 'package.json'), 'utf8'));
  const spec = `${name}@${manifest.optionalDependencies[name]}`;
  return join(await unpackPackage({ spec, folder, environment }), 'bin/node');
}

const isSource = (path: string): boolean => !path.endsWith('.test.ts');

async function layOutToolbox(folder: string): Promise<void> {
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n');
  for (const part of ['toolbox', 'protocol', 'proc']) {
    await cp(join(toolboxSource, 'src', part), join(folder, 'src', part), {
      recursive: true,
      filter: isSource,
    });
  }
  // A link, because Node strips types only outside of node_modules.
  await cp(join(workspace, 'packages/globs'), join(folder, 'globs'), { recursive: true, filter: isSource });
  await mkdir(join(folder, 'node_modules/@fettle'), { recursive: true });
  await symlink('../../globs', join(folder, 'node_modules/@fettle/globs'));
  const ignore = await realpath(join(toolboxSource, 'node_modules/ignore'));
  await cp(ignore, join(folder, 'node_modules/ignore'), { recursive: true });
}
