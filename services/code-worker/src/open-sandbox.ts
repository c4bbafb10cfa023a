import { join } from 'node:path';
import { packTree, readIgnoreFiles } from '@fettle/git';
import { type Sandbox, startSandbox } from '@fettle/sandbox';
import type { Work } from './work.ts';

export interface SandboxContent {
  mirror: string;
  commit: string;
  branch: string;
}

/** Starts a sandbox and fills it with the tree of one commit. */
export async function openSandbox(
  { config, signal }: Work,
  { mirror, commit, branch }: SandboxContent,
): Promise<Sandbox> {
  const [sandbox, baseIgnores] = await Promise.all([
    startSandbox({
      backend: config.sandbox,
      folder: join(config.home, 'sandboxes'),
      searchPath: config.searchPath,
    }),
    readIgnoreFiles(mirror, commit),
  ]);
  try {
    await sandbox.receiveTree({ pack: packTree(mirror, commit, { signal }), commit, branch, baseIgnores });
    return sandbox;
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}
