import { readRepositoryConfig } from '@fettle/contract/repository-config';
import { expect, test } from 'vitest';
import { composeConfig } from './compose-config.ts';
import { discover } from './discover.ts';
import { rootOf } from './testing/root-of.ts';

const scripts = (value: object) => ({ 'package.json': JSON.stringify({ scripts: value }) });

test.each<[string, Record<string, string>, string]>([
  ['a huge manifest', { 'package.json': ' '.repeat(1_000_001) }, 'package.json has more than 1000000 bytes'],
  ['a broken manifest', { 'package.json': '{"scripts":' }, 'package.json is not valid JSON'],
  ['a manifest that is a list', { 'package.json': '[]' }, 'package.json is not valid JSON'],
  ['a manifest that never ends', { 'package.json': '['.repeat(900_000) }, 'package.json is not valid JSON'],
  ['a lockfile alone', { 'pnpm-lock.yaml': '' }, 'there is a pnpm-lock.yaml but no package.json'],
  ['a huge Makefile', { Makefile: 'x'.repeat(1_000_001) }, 'Makefile has more than 1000000 bytes'],
])('%s adds a remark and no commands', async (_name, files, remark) => {
  const found = await discover(rootOf(files));
  expect([found.setup, found.commands]).toEqual([[], {}]);
  expect(found.remarks).toEqual([expect.stringContaining(remark)]);
});

test('odd script names and long scripts are not written to the config', async () => {
  const hostile = {
    'test\u{1b}[2J': 'x',
    'lint\n  test: rm -rf /': 'x',
    ['__proto__']: 'x',
    constructor: 'x',
    lint: ['not', 'a', 'text'],
    build: `: ${'y '.repeat(50_000)}`,
    test: 'node --test',
  };
  const found = await discover(rootOf(scripts(hostile)));
  const text = composeConfig(found);
  expect(text.length).toBeLessThan(1_000);
  expect(readRepositoryConfig(text)).toMatchObject({
    config: { setup: [], commands: { test: 'npm test', build: 'npm run build' } },
  });
});

test('a Makefile and configs with odd lines are read in linear time', async () => {
  const odd = `${' '.repeat(300_000)}:${' '.repeat(300_000)}\n${'[a '.repeat(100_000)}`;
  const startedAt = performance.now();
  const found = await discover(rootOf({ Makefile: odd, 'pyproject.toml': odd, 'Cargo.toml': odd }));
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect(Object.keys(found.commands)).toEqual(['test', 'build']);
});
