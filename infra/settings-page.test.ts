// docs/settings.md is what an operator has: a setting that is not there might as well not exist.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8');
const schemas = [
  'packages/cli/src/config.ts',
  'packages/sandbox/src/settings.ts',
  'services/api/src/config.ts',
  'services/code-worker/src/config/config.ts',
  'services/gateway/src/config.ts',
  'services/sandbox-broker/src/config.ts',
];

test.each(schemas)('every setting of %s is on the page', (schema) => {
  const names = [...read(schema).matchAll(/^ {2}([A-Z]+_[A-Z_]+):/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(3);
  const page = read('docs/settings.md');
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('every key of the user’s config file is on the page', () => {
  const names = [
    ...read('packages/cli/src/user-config/user-config.ts').matchAll(/^ {2}([a-zA-Z]+): .*optional\(\),$/gm),
  ].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(10);
  const page = read('docs/settings.md');
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('each has one row', () => {
  const rows = read('docs/settings.md').match(/^\| `.*?\|/gm) ?? [];
  const names = rows.flatMap((row) => row.match(/[A-Z][A-Z_]+/g) ?? []);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});
