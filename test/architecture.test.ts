import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  listImports,
  type SourceFile,
  sourceRules,
  treeRules,
  type Workspace,
} from '../infra/testing/source-rules.ts';
import { excluded, listTestFiles, testGroups } from '../infra/testing/test-groups.ts';

const root = join(import.meta.dirname, '..');
const files = ['packages', 'services'].flatMap(listSources);
const workspace: Workspace = {
  dependencies: new Map(listMembers().map((member) => [member, listDependencies(member)])),
};

/** Made-up files that violate each rule: a rule that cannot fail proves nothing. */
const counterExamples: Record<string, SourceFile[]> = {
  'imports follow the layers': [
    { path: 'packages/agent/src/a.ts', text: "import { app } from '@fettle/api';" },
    { path: 'services/api/src/a.ts', text: "import { work } from '@fettle/code-worker';" },
    { path: 'packages/contract/src/a.ts', text: "export { rule } from '@fettle/policy';" },
    { path: 'packages/agent/src/tools/push.ts', text: "const git = await import('@fettle/git');" },
  ],
  'packages import each other by name': [
    { path: 'packages/agent/src/a.ts', text: "import { event } from '../../contract/src/event.ts';" },
    {
      path: 'packages/agent/src/tools/a.ts',
      text: "import type { App } from '../../../../services/api/src/app.ts';",
    },
  ],
  'package.json lists every import': [
    { path: 'packages/contract/src/a.ts', text: "import { work } from '@fettle/code-worker';" },
    { path: 'packages/unheard-of/src/a.ts', text: "import { event } from '@fettle/contract';" },
  ],
  'no export *': [{ path: 'packages/agent/src/index.ts', text: "export * from './loop.ts';" }],
  'only entry points and configuration read the environment': [
    { path: 'packages/agent/src/model.ts', text: 'const key = process.env.ANTHROPIC_API_KEY;' },
    { path: 'packages/agent/src/reconfig.ts', text: 'const { PATH } = process.env;' },
  ],
  'no file is longer than 400 lines': [{ path: 'packages/agent/src/long.ts', text: 'line\n'.repeat(401) }],
  'files are named after a concept': [
    { path: 'packages/agent/src/utils.ts', text: '' },
    { path: 'packages/agent/src/lib/a.ts', text: '' },
    { path: 'services/api/src/operation-service.ts', text: '' },
  ],
};

describe.each(sourceRules)('$name', (rule) => {
  test('holds for every file', () => {
    expect(files.length).toBeGreaterThan(20);
    const violations = files.flatMap((file) =>
      rule.check(file, workspace).map((violation) => `${file.path}: ${violation}`),
    );
    expect(violations).toEqual([]);
  });

  test.each(counterExamples[rule.name] ?? [])('is violated by $path', (file) => {
    expect(rule.check(file, workspace)).not.toEqual([]);
  });

  test('has a counter-example', () => {
    expect(counterExamples[rule.name]?.length).toBeGreaterThan(0);
  });
});

/** Made-up trees that violate each rule, with the violation. */
const treeCounterExamples: Record<string, { tree: SourceFile[]; violations: string[] }> = {
  'no folder holds more than 20 source files': {
    tree: [
      ...Array.from({ length: 21 }, (_, i) => ({ path: `packages/agent/src/a${i}.ts`, text: '' })),
      ...Array.from({ length: 30 }, (_, i) => ({ path: `packages/agent/src/b/a${i}.test.ts`, text: '' })),
    ],
    violations: ['packages/agent/src: 21 files, at most 20'],
  },
  'no import cycles': {
    tree: [
      { path: 'packages/agent/src/a.ts', text: "import { b } from './b/b.ts';" },
      { path: 'packages/agent/src/b/b.ts', text: "import { c } from '../c.ts';\nimport './d.ts';" },
      { path: 'packages/agent/src/c.ts', text: "import { type A, a } from './a.ts';" },
      { path: 'packages/agent/src/b/d.ts', text: "import type { A } from '../a.ts';" },
    ],
    violations: [
      'packages/agent/src/a.ts → packages/agent/src/b/b.ts → packages/agent/src/c.ts → packages/agent/src/a.ts',
    ],
  },
};

describe.each(treeRules)('$name', (rule) => {
  test('holds for the whole tree', () => {
    expect(rule.check(files)).toEqual([]);
  });

  test('has a counter-example', () => {
    const example = treeCounterExamples[rule.name];
    expect(rule.check(example?.tree ?? [])).toEqual(example?.violations);
  });
});

test('finds all forms of imports, and none in comments or strings', () => {
  const text = [
    ...["import 'a';", "import b from 'b';", "import type { C } from 'c';"],
    ...["import {\n  d,\n  type D,\n} from 'd';", "export { e } from 'e';", "const f = await import('f');"],
    ...["// import g from 'g';", "/* import h from 'h'; */", "const i = 1; // see import('i')"],
    ...["export const j = 'from k';"],
  ].join('\n');
  expect(listImports(text).sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

test('every test file belongs to a group', () => {
  const grouped = new Set(testGroups.flatMap(listTestFiles));
  const all = globSync('{packages,services,infra,test}/**/*.test.ts', { cwd: root, exclude: excluded });
  expect(all.filter((file) => !grouped.has(file))).toEqual([]);
});

function listSources(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/\/(node_modules|generated)\//.test(file))
    .map((file) => ({ path: relative(root, file), text: readFileSync(file, 'utf8') }));
}

function listMembers(): string[] {
  return ['packages', 'services']
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((member) => existsSync(join(root, member, 'package.json')));
}

/** A package may also import itself by name, to use its public entry point. */
function listDependencies(member: string): string[] {
  const manifest = JSON.parse(readFileSync(join(root, member, 'package.json'), 'utf8'));
  return [manifest.name, ...Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })];
}
