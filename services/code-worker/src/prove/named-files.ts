/** Finds the files that the commands of the base commit run, or read their settings from. */

import { dirname, join } from 'node:path/posix';
import { isTestFile } from '@fettle/checks';
import { listPaths, readBlobAt } from '@fettle/git';
import { isManifest, parseManifest } from './manifest.ts';
import { configNames, listConfigs, runsFile } from './runs-file.ts';

const maxBytes = 1_000_000;
const maxFiles = 100;
const maxDepth = 4;

/** The configurations of test runners. Those of compilers and linters name the sources. */
const runnerConfig =
  /(?:^|\/)(?:(?:jest|vitest|vitest\.workspace|vite|ava|karma|playwright|cypress)\.config\.[^/]+|karma\.conf\.[^/]+|vitest\.workspace\.[^/]+|\.(?:mocharc|taprc|rspec)[^/]*|bunfig\.toml|pytest\.ini|phpunit\.xml[^/]*)$/;

interface Located {
  folder: string;
  text: string;
}

/** Those of the changed `paths` that decide how the checks run. */
export async function findNamedFiles(
  { mirror, commit }: { mirror: string; commit: string },
  { commands, paths }: { commands: string[]; paths: string[] },
): Promise<string[]> {
  const { files } = await listPaths(mirror, commit);
  const read = async (path: string): Promise<Located[]> => {
    const blob = await readBlobAt(mirror, commit, path, { maxBytes });
    return blob.kind === 'blob' ? [{ folder: folderOf(path), text: blob.bytes.toString() }] : [];
  };
  const readAll = async (some: string[]) => (await Promise.all(some.slice(0, maxFiles).map(read))).flat();
  const manifests = (await readAll(files.filter((path) => isManifest(path) && !isTestFile(path)))).map(
    ({ folder, text }) => ({ folder, ...parseManifest(text) }),
  );
  const lines = reach(commands, manifests);
  const known = new Set(files);
  const configs = lines
    .flatMap(({ folder, text }) => listConfigs(text).map((word) => join(folder, word)))
    .filter((path) => known.has(path));
  const texts = [
    ...(await readAll([...configs, ...files.filter((path) => runnerConfig.test(path) && !isTestFile(path))])),
    ...manifests.map(({ folder, sections }) => ({ folder, text: sections })),
  ];
  return paths.filter(
    (path) =>
      lines.some(({ folder, text }) => runsFile(text, path, folder)) ||
      texts.some(({ folder, text }) => configNames(text, path, folder)),
  );
}

const folderOf = (path: string) => dirname(path).replace(/^\.$/, '');

/** The commands, and the scripts that they call, in any manifest. */
function reach(
  commands: string[],
  manifests: { folder: string; scripts: Record<string, string> }[],
): Located[] {
  const found = new Map(commands.map((text) => [`\0${text}`, { folder: '', text }]));
  for (let depth = 0; depth < maxDepth; depth += 1) {
    const words = new Set([...found.values()].flatMap(({ text }) => text.split(/[^\w:.-]+/)));
    if (words.has('t')) words.add('test');
    for (const { folder, scripts } of manifests)
      for (const [name, text] of Object.entries(scripts))
        if (words.has(name) || words.has(name.replace(/^(?:pre|post)/, '')))
          found.set(`${folder}\0${text}`, { folder, text });
  }
  return [...found.values()];
}
