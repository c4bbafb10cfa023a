import type { RepositoryConfig } from '@fettle/contract/repository-config';
import {
  checks,
  type Discovered,
  type Ecosystem,
  type FoundCommand,
  nothingDiscovered,
} from './discovered.ts';
import { cmake } from './ecosystems/cmake.ts';
import { deno } from './ecosystems/deno.ts';
import { go } from './ecosystems/go.ts';
import { java } from './ecosystems/java.ts';
import { node } from './ecosystems/node/node.ts';
import { php } from './ecosystems/php.ts';
import { python } from './ecosystems/python/python.ts';
import { ruby } from './ecosystems/ruby.ts';
import { just } from './ecosystems/runners/just.ts';
import { make } from './ecosystems/runners/make.ts';
import { mise } from './ecosystems/runners/mise.ts';
import { task } from './ecosystems/runners/task.ts';
import { rust } from './ecosystems/rust.ts';
import { orderChecks } from './order-checks.ts';
import type { RepositoryRoot } from './repository-root.ts';
import { discoverProjects } from './subfolders.ts';
import { readWorkflows, type WorkflowCommand } from './workflows/read-workflows.ts';

/** Scripts and targets that people named come before the defaults of a language. For each check, the first match wins. */
const runners: Ecosystem[] = [make, just, task, mise];
const ecosystems: Ecosystem[] = [node, deno, cmake, ...runners, python, go, rust, java, ruby, php];

export async function discover(root: RepositoryRoot): Promise<Discovered> {
  const workflows = await readWorkflows(root);
  const found = await discoverIn(root, workflows);
  if (found.commands.test) return found;
  // The projects of a repository without tests at its root may be in folders.
  const inFolders = await discoverProjects(root, (project, folder) =>
    discoverIn(project, enter(workflows, folder)),
  );
  if (Object.keys(inFolders.commands).length === 0) return found;
  return {
    setup: [...found.setup, ...inFolders.setup],
    commands: { ...inFolders.commands, ...found.commands },
    afterBuild: [...(found.afterBuild ?? []), ...(inFolders.afterBuild ?? [])],
    remarks: [...found.remarks, ...inFolders.remarks],
  };
}

/** The commands that run in the folder. */
function enter(workflows: WorkflowCommand[], folder: string): WorkflowCommand[] {
  return workflows.flatMap((each) => (each.folder === folder ? [{ ...each, folder: '' }] : []));
}

async function discoverIn(root: RepositoryRoot, workflows: WorkflowCommand[]): Promise<Discovered> {
  const all = await Promise.all(ecosystems.map(({ find }) => find(root, workflows)));
  const found = nothingDiscovered();
  const used = new Set<Discovered>();
  const unused: string[] = [];
  const ofRunners = new Set(
    all.flatMap(({ commands }, at) =>
      runners.includes(ecosystems[at] as Ecosystem) ? Object.values(commands) : [],
    ),
  );
  const isRunner = ({ command }: FoundCommand) => [...ofRunners].some((each) => each.command === command);
  for (const check of checks) {
    for (const each of all) {
      const command = each.commands[check];
      if (command === undefined) continue;
      const first = found.commands[check];
      if (first) {
        // The language's own command is used where the runner, or what it calls, is missing.
        if (isRunner(first))
          found.commands[check] = {
            ...first,
            instead: [...(first.instead ?? []), command, ...(command.instead ?? [])],
          };
        unused.push(`not used for ${check}: ${command.command} (${command.source})`);
        continue;
      }
      found.commands[check] = command;
      used.add(each);
    }
  }
  // A runner may call the tools of the other ecosystems.
  const needsAll = all.some((each, at) => runners.includes(ecosystems[at] as Ecosystem) && used.has(each));
  found.afterBuild = all.flatMap((each) => (used.has(each) ? (each.afterBuild ?? []) : []));
  found.setup = all.filter((each) => needsAll || used.has(each)).flatMap(({ setup }) => setup);
  found.remarks = [...all.flatMap(({ remarks }) => remarks), ...unused];
  return found;
}

/** The equivalent part of a config. The checks are in the order in which they run. */
export function toCommands({
  setup,
  commands,
  afterBuild,
}: Discovered): Pick<RepositoryConfig, 'setup' | 'commands'> {
  const named = orderChecks(afterBuild).flatMap((check) => {
    const found = commands[check];
    return found === undefined ? [] : [[check, found.command]];
  });
  return { setup: setup.map(({ command }) => command), commands: Object.fromEntries(named) };
}
