import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listImports, type SourceFile, sourceRules, type Workspace } from '../infra/testing/source-rules.ts';

const root = join(import.meta.dirname, '..');
const files = ['packages', 'services'].flatMap(listSources);
const workspace: Workspace = {
  dependencies: new Map(listMembers().map((member) => [member, listDependencies(member)])),
};

/** For each rule, files that break it: a rule that cannot fail proves nothing. */
const counterExamples: Record<string, SourceFile[]> = {
  'imports follow the layers': [
    { path: 'packages/agent/src/a.ts', text: "import { app } from '@fettle/api';" },
    { path: 'services/api/src/a.ts', text: "import { work } from '@fettle/code-worker';" },
    { path: 'packages/contract/src/a.ts', text: "export { rule } from '@fettle/policy';" },
    { path: 'packages/agent/src/tools/push.ts', text: "const git = await import('@fettle/git');" },
  ],
  'a package is imported by its name': [
    { path: 'packages/agent/src/a.ts', text: "import { event } from '../../contract/src/event.ts';" },
    {
      path: 'packages/agent/src/tools/a.ts',
      text: "import type { App } from '../../../../services/api/src/app.ts';",
    },
  ],
  'what is imported is listed in package.json': [
    { path: 'packages/contract/src/a.ts', text: "import { work } from '@fettle/code-worker';" },
    { path: 'packages/unheard-of/src/a.ts', text: "import { event } from '@fettle/contract';" },
  ],
  'exports are named one by one': [
    { path: 'packages/agent/src/index.ts', text: "export * from './loop.ts';" },
  ],
  'the environment is read at the start only': [
    { path: 'packages/agent/src/model.ts', text: 'const key = process.env.ANTHROPIC_API_KEY;' },
    { path: 'packages/agent/src/reconfig.ts', text: 'const { PATH } = process.env;' },
  ],
  'a file fits into the head': [{ path: 'packages/agent/src/long.ts', text: 'line\n'.repeat(401) }],
  'files are named after a concept': [
    { path: 'packages/agent/src/utils.ts', text: '' },
    { path: 'packages/agent/src/lib/a.ts', text: '' },
    { path: 'services/api/src/operation-service.ts', text: '' },
  ],
};

describe.each(sourceRules)('$name', (rule) => {
  test('everywhere', () => {
    expect(files.length).toBeGreaterThan(20);
    const broken = files.flatMap((file) =>
      rule.check(file, workspace).map((what) => `${file.path}: ${what}`),
    );
    expect(broken).toEqual([]);
  });

  test.each(counterExamples[rule.name] ?? [])('is broken by $path', (file) => {
    expect(rule.check(file, workspace)).not.toEqual([]);
  });

  test('has a made-up file that breaks it', () => {
    expect(counterExamples[rule.name]?.length).toBeGreaterThan(0);
  });
});

test('imports are found in all their forms, and not in comments or texts', () => {
  const text = [
    "import 'a';",
    "import b from 'b';",
    "import type { C } from 'c';",
    "import {\n  d,\n  type D,\n} from 'd';",
    "export { e } from 'e';",
    "const f = await import('f');",
    "// import g from 'g';",
    "/* import h from 'h'; */",
    "const i = 1; // see import('i')",
    "export const j = 'from k';",
  ].join('\n');
  expect(listImports(text).sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
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

/** A package may also import itself by name: that is what its neighbours see of it. */
function listDependencies(member: string): string[] {
  const manifest = JSON.parse(readFileSync(join(root, member, 'package.json'), 'utf8'));
  return [manifest.name, ...Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })];
}
