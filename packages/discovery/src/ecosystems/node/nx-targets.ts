/** Scripts such as `nx test` run the default project only, which most workspaces do not have. All projects are meant. */
import type { Check, Discovered } from '../../discovered.ts';
import type { RepositoryRoot } from '../../repository-root.ts';
import type { Client } from './clients.ts';
import type { Manifest } from './manifest.ts';

interface NxTargets {
  commands: Discovered['commands'];
  /** The scripts that are left. */
  scripts: Map<string, string>;
}

export function readNxTargets(
  root: RepositoryRoot,
  { scripts, packages }: Manifest,
  client: Client,
): NxTargets {
  if (!root.has('nx.json') || !packages.has('nx')) return { commands: {}, scripts };
  const commands: Discovered['commands'] = {};
  const left = new Map(scripts);
  for (const [name, text] of scripts) {
    const target = /^(?:nx workspace-lint && )?nx (typecheck|lint|test|build)$/.exec(text.trim())?.[1];
    if (target === undefined || name !== target) continue;
    left.delete(name);
    commands[target as Check] = {
      command: `${client.exec} nx run-many -t ${target}`,
      source: `script "${name}" of package.json`,
      probe: `command -v ${client.program}`,
    };
  }
  return { commands, scripts: left };
}
