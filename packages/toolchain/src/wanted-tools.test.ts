import { expect, test } from 'vitest';
import { rootOf } from './testing/root-of.ts';
import { findWantedTools } from './wanted-tools.ts';

const cases: { name: string; files: Record<string, string>; expected: string[] }[] = [
  { name: 'nothing for a repository without Node', files: { 'go.mod': 'module x' }, expected: [] },
  {
    name: 'no version',
    files: { 'package.json': '{}' },
    expected: ['node any (package.json)', 'npm any (package.json)'],
  },
  {
    name: '.nvmrc before engines, the field packageManager before the lockfile',
    files: {
      '.nvmrc': '# ours\nv20.11.0\n',
      'package.json': '{"engines":{"node":">=18"},"packageManager":"pnpm@9.1.0+sha512.abc"}',
      'pnpm-lock.yaml': "lockfileVersion: '9.0'\n",
    },
    expected: [
      'node 20.11.0 (.nvmrc)',
      'pnpm 9.1.0 (packageManager in package.json)',
      'npm any (package.json)',
    ],
  },
  {
    name: 'pnpm by the format of its lockfile',
    files: { 'package.json': '{}', 'pnpm-lock.yaml': "lockfileVersion: '6.0'\n" },
    expected: ['node any (package.json)', 'pnpm ^8 (pnpm-lock.yaml)', 'npm any (package.json)'],
  },
  {
    name: 'the name of a long-term release, and Yarn 1',
    files: { '.node-version': 'lts/iron', 'package.json': '{}', 'yarn.lock': '# yarn lockfile v1\n' },
    expected: ['node 20 (.node-version)', 'yarn-classic any (yarn.lock)', 'npm any (package.json)'],
  },
  {
    name: 'mise.toml and .tool-versions',
    files: {
      'mise.toml': '[env]\nnode = "1"\n[tools]\nnode = ["22", "20"]\n',
      '.tool-versions': 'nodejs 18.0.0\nbun 1.1.0\n',
      'package.json': '{}',
    },
    expected: ['node 22 (mise.toml)', 'npm any (package.json)', 'bun 1.1.0 (.tool-versions)'],
  },
  {
    name: 'volta',
    files: { 'package.json': '{"volta":{"node":"16.20.2","yarn":"1.22.4"}}', 'yarn.lock': '' },
    expected: [
      'node 16.20.2 (volta in package.json)',
      'yarn-classic 1.22.4 (volta in package.json)',
      'npm any (package.json)',
    ],
  },
  {
    name: 'text that is no version',
    files: {
      '.nvmrc': '../../etc/passwd',
      'package.json': '{"engines":{"node":7,"__proto__":"1"},"volta":[],"devEngines":"x"}',
    },
    expected: ['node any (package.json)', 'npm any (package.json)'],
  },
  { name: 'Deno', files: { 'deno.json': '{}' }, expected: ['deno any (deno.json)'] },
];

test.for(cases)('$name', async ({ files, expected }) => {
  const wanted = await findWantedTools(rootOf(files));
  expect(wanted.map(({ tool, range = 'any', source }) => `${tool} ${range} (${source})`)).toEqual(expected);
});
