import type { RepositoryRoot } from '@fettle/discovery';
import type { Sandbox } from '@fettle/sandbox';
import type { PreparedTools, Toolchain } from './open-toolchain.ts';

export type Equipment = PreparedTools;

/** Puts the tools that the repository names first on the PATH of a sandbox. */
export async function equipSandbox(
  toolchain: Toolchain,
  sandbox: Sandbox,
  { root, signal }: { root: RepositoryRoot; signal: AbortSignal },
): Promise<Equipment> {
  if (sandbox.useTools === undefined) return { tools: [], problems: [] };
  const hasNpm = async () => {
    const found = await sandbox.run({ command: 'command -v npm', timeoutMs: 30_000, signal });
    return found.exitCode === 0;
  };
  const { toolStore: store } = sandbox;
  const equipment = await toolchain.prepare(root, { hasNpm, store, signal });
  sandbox.useTools(equipment.tools.flatMap(({ folder }) => (folder === undefined ? [] : [folder])));
  return equipment;
}
