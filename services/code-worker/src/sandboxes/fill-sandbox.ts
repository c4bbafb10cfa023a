import { findWithheld, openMirrorRoot } from '@fettle/check-run';
import { readIgnoreFiles, withTreePack } from '@fettle/git';
import { offerRegistries } from '@fettle/registry';
import type { Sandbox } from '@fettle/sandbox';
import { type Equipment, equipSandbox } from '@fettle/toolchain';
import type { Attempt } from '../attempt/attempt.ts';

export interface SandboxContent {
  mirror: string;
  commit: string;
  branch: string;
  /** The commit whose ignore rules apply; by default `commit`. */
  base?: string;
  /** Receives the repository's own tools, and what they lack. */
  onEquipped?(equipment: Equipment): Promise<void>;
}

/** Fills a sandbox with the tree of a commit, without the files that are withheld, and closes it if that fails. */
export async function fillSandbox(
  { sandboxes, stop: { signal } }: Pick<Attempt, 'sandboxes' | 'stop'>,
  starting: Promise<Sandbox>,
  { mirror, commit, branch, base = commit, onEquipped }: SandboxContent,
): Promise<Sandbox> {
  const [sandbox, baseIgnores, replacements] = await Promise.all([
    starting,
    readIgnoreFiles(mirror, base),
    findWithheld(mirror, commit),
  ]);
  try {
    await withTreePack(mirror, commit, { replacements, signal }, (pack) =>
      sandbox.receiveTree({ pack, commit: pack.commit, branch, baseIgnores }),
    );
    // Not awaited: only commands need the registries; the first turn can start without them.
    offerRegistries(sandbox, sandboxes.registry).catch(() => {});
    const root = await openMirrorRoot(mirror, base);
    const equipment = await equipSandbox(sandboxes.toolchain, sandbox, { root, signal });
    await onEquipped?.(equipment);
    return sandbox;
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}
