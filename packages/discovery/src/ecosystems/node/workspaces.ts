/** Finds the packages of a workspace, and runs the checks that only packages have in all of them. */
import { readYaml } from '@fettle/contract/read-yaml';
import { z } from 'zod';
import { type Check, checks, type Discovered } from '../../discovered.ts';
import { type RepositoryRoot, readManifest, readText } from '../../repository-root.ts';
import type { Client } from './clients.ts';
import { expandScript } from './expand-script.ts';
import { toGroup } from './group-parts.ts';
import { type Manifest, parseManifest } from './manifest.ts';
import { usualNames } from './script-kinds.ts';

export interface Member {
  folder: string;
  manifest: Manifest;
}

const maxMembers = 200;
const packagesSchema = z.object({ packages: z.array(z.string().max(300)).max(200).default([]) });

export async function findMembers(root: RepositoryRoot, { workspaces }: Manifest): Promise<Member[]> {
  const patterns = [
    ...(workspaces ?? []),
    ...(await readPatterns(root, 'pnpm-workspace.yaml')),
    ...(await readPatterns(root, 'lerna.json')),
  ];
  if (patterns.length === 0) return [];
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!')).map(toMatcher);
  const unwanted = patterns
    .filter((pattern) => pattern.startsWith('!'))
    .map((each) => toMatcher(each.slice(1)));
  const folders = (await root.paths()).flatMap((path) => {
    const folder = path.endsWith('/package.json') ? path.slice(0, -'/package.json'.length) : undefined;
    const isWanted = folder !== undefined && wanted.some((matches) => matches(folder));
    return isWanted && !unwanted.some((matches) => matches(folder)) ? [folder] : [];
  });
  const members: Member[] = [];
  for (const folder of folders.slice(0, maxMembers)) {
    const text = await readText(root, `${folder}/package.json`, []);
    const manifest = text === undefined ? undefined : parseManifest(text);
    if (manifest) members.push({ folder, manifest });
  }
  return members;
}

async function readPatterns(root: RepositoryRoot, file: string): Promise<string[]> {
  const text = await readManifest(root, file, []);
  const reading = text === undefined ? undefined : readYaml(text, packagesSchema);
  return reading?.ok ? reading.value.packages : [];
}

/** `*` stands for one folder, and `**` for any number of them. */
function toMatcher(pattern: string): (folder: string) => boolean {
  const parts = pattern
    .replace(/^\.\/|\/+$/g, '')
    .split('/')
    .slice(0, 20);
  return (folder) => matchesFrom(parts, folder.split('/'));
}

function matchesFrom([part, ...parts]: string[], names: string[]): boolean {
  if (part === undefined) return names.length === 0;
  if (part === '**')
    return matchesFrom(parts, names) || (names.length > 0 && matchesFrom([part, ...parts], names.slice(1)));
  const [name, ...rest] = names;
  return name !== undefined && matchesName(part, name) && matchesFrom(parts, rest);
}

function matchesName(part: string, name: string): boolean {
  const pieces = part.split('*');
  if (pieces.length === 1) return part === name;
  const [first = '', ...middle] = pieces;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const piece of middle.slice(0, -1)) {
    const found = name.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  const last = middle.at(-1) ?? '';
  return name.length - last.length >= at && name.endsWith(last);
}

export interface Spreading {
  root: RepositoryRoot;
  manifest: Manifest;
  members: Member[];
  client: Client;
}

/** Commands for the checks that the root has no script for. */
export function spreadChecks(spreading: Spreading): Discovered['commands'] {
  const { members, client } = spreading;
  const found: Discovered['commands'] = {};
  for (const check of checks) {
    const usable = members.map((member) => ({ member, names: findScripts(member, check, client) }));
    const counts = usualNames[check].map((name) => usable.filter(({ names }) => names.includes(name)).length);
    const most = Math.max(...counts);
    const name = usualNames[check][counts.indexOf(most)];
    if (name === undefined || most === 0) continue;
    const having = usable.filter(({ names }) => names.includes(name)).map(({ member }) => member);
    const command = toRecursive(name, having, spreading);
    if (command === undefined) continue;
    const source = `script "${name}" of ${most} ${most === 1 ? 'package' : 'packages'} in the workspace`;
    found[check] = { command, source, probe: `command -v ${client.program}` };
  }
  return found;
}

/** The scripts of a package that can be this check in a sandbox. */
function findScripts({ manifest: { scripts } }: Member, check: Check, client: Client): string[] {
  return usualNames[check].filter((name) => {
    const text = scripts.get(name);
    if (text === undefined || text.trim() === '' || text.includes('no test specified')) return false;
    return toGroup(expandScript(name, { client, scripts })).commands[check] !== undefined;
  });
}

const maxListed = 30;

/** A task runner of the repository knows which packages come first. */
function toRecursive(script: string, having: Member[], spreading: Spreading): string | undefined {
  const { root, manifest, members, client } = spreading;
  const { packages } = manifest;
  if (root.has('turbo.json') && packages.has('turbo')) return `${client.exec} turbo run ${script}`;
  if (root.has('nx.json') && packages.has('nx')) return `${client.exec} nx run-many -t ${script}`;
  if (root.has('lerna.json') && packages.has('lerna')) return `${client.exec} lerna run ${script}`;
  if (client.everywhere) return client.everywhere(script);
  // Yarn 1 has no such command, unless each package has the script.
  if (having.length === members.length) return `yarn workspaces run ${script}`;
  const names = having.flatMap(({ manifest: { name } }) => name ?? []);
  if (names.length !== having.length || names.length > maxListed) return undefined;
  return names.map((name) => `yarn workspace ${name} run ${script}`).join(' && ');
}
