// The import rules of the design, as data and plain functions over one file's text, so that each can be shown
// to fail on a made-up file. Imports are found by pattern: TypeScript 7 has no compiler interface, and our own
// formatting is uniform enough.

export interface SourceFile {
  /** From the root of the repository, with forward slashes. */
  path: string;
  text: string;
}

export interface Workspace {
  /** What each folder's package.json lists, by folder: `packages/agent` → `@fettle/contract`, … */
  dependencies: ReadonlyMap<string, readonly string[]>;
}

export interface SourceRule {
  name: string;
  /** What breaks the rule in this file, one text each. */
  check(file: SourceFile, workspace: Workspace): string[];
}

/** Imports that a part of the tree may not have, even where its package.json lists them. */
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

/** Where the environment may be read: at a process's start, and in tests. */
const environmentReaders = [
  /(^|[/-])(main|config|settings)\.ts$/,
  /\.test\.ts$/,
  /^(packages|services)\/[^/]+\/(test|src\/(.*\/)?(testing|fixtures?))\//,
];

const vagueNames = /(^|[-.])(utils?|helpers?|common|shared|lib|manager|service)([-.]|$)/;
const maxLines = 400;

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
    name: 'a package is imported by its name',
    check: ({ path, text }) =>
      listImports(text).filter(
        (specifier) => specifier.startsWith('.') && memberOf(resolveFrom(path, specifier)) !== memberOf(path),
      ),
  },
  {
    name: 'what is imported is listed in package.json',
    check: ({ path, text }, { dependencies }) => {
      const listed = dependencies.get(memberOf(path)) ?? [];
      return listImports(text)
        .map(packageOf)
        .filter((name) => name.startsWith('@fettle/') && !listed.includes(name));
    },
  },
  {
    name: 'exports are named one by one',
    check: ({ text }) =>
      [...withoutComments(text).matchAll(/^\s*export \*.*$/gm)].map(([line]) => line.trim()),
  },
  {
    name: 'the environment is read at the start only',
    check: ({ path, text }) =>
      environmentReaders.some((reader) => reader.test(path))
        ? []
        : [...withoutComments(text).matchAll(/process\.env\b.*/g)].map(([line]) => line),
  },
  {
    name: 'a file fits into the head',
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

export function listImports(text: string): string[] {
  const code = withoutComments(text);
  const statements = /^\s*(?:import|export)\b(?:[^'"`;]*?\bfrom)?\s*(['"])([^'"\n]+)\1/gm;
  const calls = /\b(?:import|require|import\.meta\.resolve)\s*\(\s*(['"])([^'"\n]+)\1/g;
  return [statements, calls].flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[2] ?? ''));
}

// Good enough for code that a formatter wrote: comments that begin a line, or stand behind a blank.
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
