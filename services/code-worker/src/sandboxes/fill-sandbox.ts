import { readIgnoreFiles, withTreePack } from '@fettle/git';
import { offerRegistries } from '@fettle/registry';
import type { Sandbox } from '@fettle/sandbox';
import type { Attempt } from '../attempt/attempt.ts';

export interface SandboxContent {
  mirror: string;
  commit: string;
  branch: string;
  /** The commit whose ignore rules apply; by default `commit`. */
  base?: string;
}

/** Fills a sandbox with the tree of a commit, and closes it if that fails. */
export async function fillSandbox(
  { sandboxes, stop: { signal } }: Pick<Attempt, 'sandboxes' | 'stop'>,
  starting: Promise<Sandbox>,
  { mirror, commit, branch, base = commit }: SandboxContent,
): Promise<Sandbox> {
  const [sandbox, baseIgnores] = await Promise.all([starting, readIgnoreFiles(mirror, base)]);
  try {
    await withTreePack(mirror, commit, { signal }, (pack) =>
      sandbox.receiveTree({ pack, commit, branch, baseIgnores }),
    );
    // Not awaited: only commands need the registries; the first turn can start without them.
    offerRegistries(sandbox, sandboxes.registry).catch(() => {});
    return sandbox;
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}
