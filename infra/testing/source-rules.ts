/**
 * The source rules as data and pure functions, so that a test can show each of them failing on a made-up file.
 * Imports are found with regular expressions: TypeScript 7 has no compiler API, and Biome's formatting is uniform.
 */

export interface SourceFile {
  /** Relative to the root of the repository, with forward slashes. */
  path: string;
  text: string;
}

export interface Workspace {
  /** The dependencies in the package.json of each folder: `packages/agent` → `@fettle/contract`, … */
  dependencies: ReadonlyMap<string, readonly string[]>;
}

/** A rule about one file. */
export interface SourceRule {
  name: string;
  /** Returns one text for each violation. */
  check(file: SourceFile, workspace: Workspace): string[];
}

/** A rule about all source files together. */
export interface TreeRule {
  name: string;
  /** Returns one text for each violation. */
  check(files: readonly SourceFile[]): string[];
}

/** Imports that are forbidden even if package.json lists the package. */
const forbiddenImports: { from: RegExp; imports: RegExp; why: string }[] = [
  {
    from: /^packages\//,
    imports: /^@fettle\/(api|code-worker|sandbox-broker|console)(\/|$)/,
    why: 'packages never import services',
  },
  {
    from: /^services\//,
    imports: /^@fettle\/(api|code-worker|sandbox-broker|console)(\/|$)/,
    why: 'services never import each other',
  },
  { from: /^packages\/contract\//, imports: /^@fettle\//, why: 'contract imports nothing of ours' },
  {
    from: /^packages\/agent\/src\/tools\//,
    imports: /^@fettle\/(forge|git|database)(\/|$)/,
    why: 'tools never import forge, git or database',
  },
];

/** Files that may read the environment: entry points, configuration and tests. */
const environmentReaders = [
  /(^|[/-])(main|config|settings)\.ts$/,
  /\.test\.ts$/,
  /^(packages|services)\/[^/]+\/(test|src\/(.*\/)?(testing|fixtures?))\//,
];

const vagueNames = /(^|[-.])(utils?|helpers?|common|shared|lib|manager|service)([-.]|$)/;
const typeStatements = /^(?:import|export) type\b[^'";]*from\s*['"][^'"\n]+['"];?$/gm;
const maxLines = 400;
const maxFilesInFolder = 20;

/** Folders that may hold more files, each with the reason. */
const largeFolders = new Map([
  ['packages/policy/src/commands/rules', 'data: one file of rules for each program'],
]);

export const sourceRules: SourceRule[] = [
  {
    name: 'imports follow the layers',
    check: ({ path, text }) =>
      forbiddenImports
        .filter(({ from }) => from.test(path))
        .flatMap(({ imports, why }) =>
          listImports(text)
            .filter((specifier) => imports.test(specifier))
            .map((specifier) => `${specifier} (${why})`),
        ),
  },
  {
    name: 'packages import each other by name',
    check: ({ path, text }) =>
      listImports(text).filter(
        (specifier) => specifier.startsWith('.') && memberOf(resolveFrom(path, specifier)) !== memberOf(path),
      ),
  },
  {
    name: 'package.json lists every import',
    check: ({ path, text }, { dependencies }) => {
      const listed = dependencies.get(memberOf(path)) ?? [];
      return listImports(text)
        .map(packageOf)
        .filter((name) => name.startsWith('@fettle/') && !listed.includes(name));
    },
  },
  {
    name: 'no export *',
    check: ({ text }) =>
      [...withoutComments(text).matchAll(/^\s*export \*.*$/gm)].map(([line]) => line.trim()),
  },
  {
    name: 'only entry points and configuration read the environment',
    check: ({ path, text }) =>
      environmentReaders.some((reader) => reader.test(path))
        ? []
        : [...withoutComments(text).matchAll(/process\.env\b.*/g)].map(([line]) => line),
  },
  {
    name: 'no file is longer than 400 lines',
    check: ({ text }) => {
      const lines = text.split('\n').length - 1;
      return lines > maxLines ? [`${lines} lines, at most ${maxLines}`] : [];
    },
  },
  {
    name: 'files are named after a concept',
    check: ({ path }) =>
      path
        .split('/')
        .slice(2)
        .filter((name) => vagueNames.test(name)),
  },
];

export const treeRules: TreeRule[] = [
  {
    name: 'no folder holds more than 20 source files',
    check: (files) =>
      [...Map.groupBy(files.filter(isSource), ({ path }) => path.slice(0, path.lastIndexOf('/')))]
        .filter(([folder, inside]) => inside.length > maxFilesInFolder && !largeFolders.has(folder))
        .map(([folder, inside]) => `${folder}: ${inside.length} files, at most ${maxFilesInFolder}`),
  },
  {
    name: 'no import cycles',
    check: (files) => findCycles(files).map((cycle) => [...cycle, cycle[0]].join(' → ')),
  },
];

function isSource({ path }: SourceFile): boolean {
  return !path.endsWith('.test.ts');
}

/** Cycles of relative imports. `import type` is erased and does not count. Reports one cycle per closing import. */
function findCycles(files: readonly SourceFile[]): string[][] {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const finished = new Set<string>();
  const cycles: string[][] = [];
  const follow = (path: string, importers: string[]): void => {
    const start = importers.indexOf(path);
    if (start >= 0) cycles.push(importers.slice(start));
    if (start >= 0 || finished.has(path)) return;
    const code = (texts.get(path) ?? '').replaceAll(typeStatements, '');
    const imports = listImports(code).filter((specifier) => specifier.startsWith('.'));
    for (const specifier of imports) follow(resolveFrom(path, specifier), [...importers, path]);
    finished.add(path);
  };
  for (const path of texts.keys()) follow(path, []);
  return cycles;
}

export function listImports(text: string): string[] {
  const code = withoutComments(text);
  const statements = /^\s*(?:import|export)\b(?:[^'"`;]*?\bfrom)?\s*(['"])([^'"\n]+)\1/gm;
  const calls = /\b(?:import|require|import\.meta\.resolve)\s*\(\s*(['"])([^'"\n]+)\1/g;
  return [statements, calls].flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[2] ?? ''));
}

// Sufficient for formatted code: comments at the start of a line or after whitespace.
function withoutComments(text: string): string {
  return text.replace(/^\s*\/\*[\s\S]*?\*\//gm, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

/** `packages/agent/src/x.ts` → `packages/agent`. */
function memberOf(path: string): string {
  return path.split('/').slice(0, 2).join('/');
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function resolveFrom(path: string, specifier: string): string {
  return new URL(specifier, `file:///${path}`).pathname.slice(1);
}
