import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readRepositoryConfig, repositoryConfigSchema } from './repository-config.ts';

test('reads a whole config', () => {
  const text = `
version: 1
setup: [npm ci]
commands: { test: npm test, lint: npm run lint }
protectedPaths: ['migrations/**']
budgets: { turns: 20 }`;
  expect(readRepositoryConfig(text)).toEqual({
    ok: true,
    config: {
      version: 1,
      setup: ['npm ci'],
      commands: { test: 'npm test', lint: 'npm run lint' },
      protectedPaths: ['migrations/**'],
      budgets: { turns: 20 },
    },
  });
});

test('an empty file is a config with nothing in it', () => {
  expect(readRepositoryConfig('')).toMatchObject({ ok: true, config: { setup: [], commands: {} } });
});

test.each([
  ['comands: {}', /comands/],
  ['commands: { test: 7 }', /commands\.test/],
  ['version: 2', /version/],
  ['commands: { test: x', /flow|collection|expected/i],
  ['a: &a [*a, *a]', /./],
  ['- a list', /object/],
  ['protectedPaths: ["*a*a*a*b"]', /two \* in one part/],
  ['protectedPaths: ["+(a|aa)+"]', /groups/],
  ['protectedPaths: ["**/a/**/b/**/c/**"]', /three times/],
])('says what is wrong with %s', (text, message) => {
  const reading = readRepositoryConfig(text);
  expect(reading.ok).toBe(false);
  if (!reading.ok) expect(reading.message).toMatch(message);
});

test('many aliases do not blow up', () => {
  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefghi'.split('').map((name, i) => `${name}: &${name} [${`*${'abcdefgh'[i]},`.repeat(9)}]`),
  ];
  expect(readRepositoryConfig(bomb.join('\n')).ok).toBe(false);
});

test('the published JSON Schema is the one in force', () => {
  const published = JSON.parse(
    readFileSync(new URL('../../../docs/config.schema.json', import.meta.url), 'utf8'),
  );
  expect(published).toEqual(
    JSON.parse(JSON.stringify(z.toJSONSchema(repositoryConfigSchema, { io: 'input' }))),
  );
});
