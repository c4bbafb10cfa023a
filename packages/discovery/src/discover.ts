import type { RepositoryConfig } from '@fettle/contract/repository-config';
import { checks, type Discovered, type Ecosystem, nothingDiscovered } from './discovered.ts';
import { go } from './ecosystems/go.ts';
import { make } from './ecosystems/make.ts';
import { node } from './ecosystems/node.ts';
import { python } from './ecosystems/python.ts';
import { rust } from './ecosystems/rust.ts';
import type { RepositoryRoot } from './repository-root.ts';

/** Scripts and targets that people named come before the defaults of a language. For each check, the first match wins. */
const ecosystems: Ecosystem[] = [node, make, python, go, rust];

export async function discover(root: RepositoryRoot): Promise<Discovered> {
  const all = await Promise.all(ecosystems.map(({ find }) => find(root)));
  const found = nothingDiscovered();
  const used = new Set<Discovered>();
  const unused: string[] = [];
  for (const check of checks) {
    for (const each of all) {
      const command = each.commands[check];
      if (command === undefined) continue;
      if (found.commands[check]) {
        unused.push(`not used for ${check}: ${command.command} (${command.source})`);
        continue;
      }
      found.commands[check] = command;
      used.add(each);
    }
  }
  // A Makefile may call the tools of the other ecosystems.
  const needsAll = all.some((each, at) => ecosystems[at] === make && used.has(each));
  found.setup = all.filter((each) => needsAll || used.has(each)).flatMap(({ setup }) => setup);
  found.remarks = [...all.flatMap(({ remarks }) => remarks), ...unused];
  return found;
}

/** The equivalent part of a config. */
export function toCommands({ setup, commands }: Discovered): Pick<RepositoryConfig, 'setup' | 'commands'> {
  const named = checks.flatMap((check) => {
    const found = commands[check];
    return found === undefined ? [] : [[check, found.command]];
  });
  return { setup: setup.map(({ command }) => command), commands: Object.fromEntries(named) };
}
