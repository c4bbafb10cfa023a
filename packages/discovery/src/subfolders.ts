/** A repository whose projects are in folders: `frontend/`, `api/`, `packages/core/`. */
import { checks, type Discovered, type FoundCommand, nothingDiscovered } from './discovered.ts';
import { openFolder, type RepositoryRoot, readManifest } from './repository-root.ts';

/** Files that make a folder a project of its own. */
const manifests = new Set([
  ...[
    'package.json',
    'deno.json',
    'deno.jsonc',
    'pyproject.toml',
    'setup.py',
    'setup.cfg',
    'requirements.txt',
  ],
  ...['go.mod', 'Cargo.toml', 'pom.xml', 'build.gradle', 'build.gradle.kts', 'Gemfile', 'composer.json'],
]);
const maxDepth = 2;
const maxProjects = 5;

/** Folders whose projects show, test or build something else than what the repository is for. */
const others =
  /(?:^|\/)(?:\.[^/]*|node_modules|vendor|third[_-]party|examples?|samples?|demos?|docs?|website|site|fixtures?|templates?|testdata|__\w+__|tests?|e2e|bench(?:marks?)?|playgrounds?|sandbox|dist|build|scripts|tools)(?:\/|$)/i;

/** The folders of a workspace belong to its root. */
async function isWorkspace(root: RepositoryRoot): Promise<boolean> {
  if (['pnpm-workspace.yaml', 'lerna.json', 'nx.json', 'turbo.json', 'go.work'].some(root.has)) return true;
  const manifest = await readManifest(root, 'package.json', []);
  const cargo = await readManifest(root, 'Cargo.toml', []);
  return /"workspaces?"\s*:/.test(manifest ?? '') || /^\s*\[workspace\]/m.test(cargo ?? '');
}

/** The outermost folders with a manifest. */
export async function findProjects(root: RepositoryRoot): Promise<string[]> {
  if (await isWorkspace(root)) return [];
  const found = new Set<string>();
  for (const path of await root.paths()) {
    const parts = path.split('/');
    const folder = parts.slice(0, -1).join('/');
    if (parts.length < 2 || parts.length > maxDepth + 1 || !manifests.has(parts.at(-1) ?? '')) continue;
    if (/^[\w@./-]+$/.test(folder) && !others.test(folder)) found.add(folder);
  }
  const outermost = [...found].filter(
    (folder) => ![...found].some((other) => folder.startsWith(`${other}/`)),
  );
  return outermost.toSorted().slice(0, maxProjects);
}

/** Puts the findings of several folders together. Each check runs in one folder after another. */
export async function discoverProjects(
  root: RepositoryRoot,
  discoverIn: (root: RepositoryRoot, folder: string) => Promise<Discovered>,
): Promise<Discovered> {
  const all = nothingDiscovered();
  const found: { folder: string; discovered: Discovered }[] = [];
  for (const folder of await findProjects(root))
    found.push({ folder, discovered: await discoverIn(await openFolder(root, folder), folder) });
  for (const { folder, discovered } of found) {
    const { setup, remarks } = discovered;
    all.setup.push(
      ...setup.map(({ ifOutdated, ...each }) => ({
        ...move(each, folder),
        ...(ifOutdated !== undefined && { ifOutdated: `cd ${folder} && ${ifOutdated}` }),
      })),
    );
    all.remarks.push(...remarks.map((remark) => `${folder}: ${remark}`));
  }
  for (const check of checks) {
    const having = found.flatMap(({ folder, discovered }) => {
      const command = discovered.commands[check];
      return command === undefined ? [] : [{ folder, command: move(command, folder) }];
    });
    const [first, ...rest] = having;
    if (first === undefined) continue;
    const commands = rest.map(({ folder, command: { command } }, at) =>
      command.replace(`cd ${folder} `, `cd ${toFolder(having[at]?.folder ?? '', folder)} `),
    );
    all.commands[check] = {
      ...first.command,
      command: [first.command.command, ...commands].join(' && '),
      source: having.map(({ command: { source } }) => source).join(', '),
    };
  }
  all.afterBuild = found.flatMap(({ discovered }) => discovered.afterBuild ?? []);
  return all;
}

function move<T extends FoundCommand>(found: T, folder: string): T {
  const within = (command: string) => `cd ${folder} && ${command}`;
  return {
    ...found,
    command: within(found.command),
    source: `${folder}: ${found.source}`,
    probe: within(found.probe),
    ...(found.instead && { instead: found.instead.map((each) => move(each, folder)) }),
  };
}

/** From one folder to another. */
function toFolder(from: string, to: string): string {
  return `${'../'.repeat(from.split('/').length)}${to}`;
}
