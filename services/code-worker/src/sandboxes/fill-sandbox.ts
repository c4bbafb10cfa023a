import { readIgnoreFiles, withTreePack } from '@fettle/git';
import { offerRegistries } from '@fettle/registry';
import type { Sandbox } from '@fettle/sandbox';
import type { Work } from '../attempt/attempt.ts';

export interface SandboxContent {
  mirror: string;
  commit: string;
  branch: string;
  /** The commit whose ignore rules count; the same one where none is given. */
  base?: string;
}

/** Fills a sandbox with the tree of one commit; one that cannot be filled is closed. */
export async function fillSandbox(
  { registry, signal }: Work,
  starting: Promise<Sandbox>,
  { mirror, commit, branch, base = commit }: SandboxContent,
): Promise<Sandbox> {
  const [sandbox, baseIgnores] = await Promise.all([starting, readIgnoreFiles(mirror, base)]);
  try {
    await withTreePack(mirror, commit, { signal }, (pack) =>
      sandbox.receiveTree({ pack, commit, branch, baseIgnores }),
    );
    // Commands wait for it, and the model's first thought does not.
    offerRegistries(sandbox, registry).catch(() => {});
    return sandbox;
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}
