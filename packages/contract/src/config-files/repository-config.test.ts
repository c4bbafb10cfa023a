import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readRepositoryConfig, repositoryConfigSchema } from './repository-config.ts';

test('a complete config is read', () => {
  const text = `
version: 1
setup: [npm ci]
commands: { test: npm test, lint: npm run lint }
reports: [out/*/junit.xml]
protectedPaths: ['migrations/**']
install: { scripts: [esbuild, '@scope/native'] }
policy: { commands: strict, rules: [{ program: git, subcommand: stash, reason: no notes }] }
budgets: { turns: 20 }`;
  expect(readRepositoryConfig(text)).toEqual({
    ok: true,
    config: {
      version: 1,
      setup: ['npm ci'],
      commands: { test: 'npm test', lint: 'npm run lint' },
      reports: ['out/*/junit.xml'],
      protectedPaths: ['migrations/**'],
      install: { scripts: ['esbuild', '@scope/native'] },
      policy: {
        commands: 'strict',
        rules: [{ program: 'git', subcommand: 'stash', decision: 'deny', reason: 'no notes' }],
      },
      budgets: { turns: 20 },
    },
    named: ['setup', 'commands'],
  });
});

test.each([
  ['', []],
  ['protectedPaths: [infra]', []],
  ['commands: {}', ['commands']],
  ['setup: []', ['setup']],
])('%j names %j, even if empty', (text, named) => {
  expect(readRepositoryConfig(text)).toMatchObject({ ok: true, named });
});

test('an empty file is an empty config', () => {
  expect(readRepositoryConfig('')).toMatchObject({
    ok: true,
    config: { setup: [], commands: {}, install: { scripts: [] } },
  });
});

test.each([
  ['comands: {}', /comands/],
  ['commands: { test: 7 }', /commands\.test/],
  ['version: 2', /version/],
  ['commands: { test: x', /flow|collection|expected/i],
  ['a: &a [*a, *a]', /./],
  ['- a list', /object/],
  ['install: { scripts: ["--all"] }', /must be a package name/],
  ['install: { scripts: ["a b"] }', /must be a package name/],
  ['protectedPaths: ["+(a|aa)+"]', /groups/],
  ['reports: ["**/*.xml"]', /no other pattern/],
  ['reports: [../x.xml]', /inside the repository/],
  ['reports: [/tmp/x.xml]', /inside the repository/],
  ['setup: [a]\nsetup: [b]', /setup is a duplicate key/],
  ['setup: ["a\\0b"]', /NUL/],
  ['policy: { commands: contained }', /policy\.commands.*line 1/],
  [
    'policy:\n  rules:\n    - { program: curl, decision: allow, reason: x }',
    /policy\.rules\.0\.decision.*line 3/,
  ],
])('the error explains what is wrong with %s', (text, message) => {
  const reading = readRepositoryConfig(text);
  expect(reading.ok).toBe(false);
  if (!reading.ok) expect(reading.message).toMatch(message);
});

test('parsing thousands of keys takes linear time', () => {
  const keys = Array.from({ length: 15_000 }, (_, i) => i.toString(36));
  const startedAt = performance.now();
  for (const text of [keys.map((key) => `${key}:`).join('\n'), `{${keys.join(',')}}`])
    expect(readRepositoryConfig(text).ok).toBe(false);
  // A quadratic check took half a minute.
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test('many aliases do not use up the memory', () => {
  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefghi'.split('').map((name, i) => `${name}: &${name} [${`*${'abcdefgh'[i]},`.repeat(9)}]`),
  ];
  expect(readRepositoryConfig(bomb.join('\n')).ok).toBe(false);
});

test('the published JSON Schema is up to date', () => {
  const published = JSON.parse(
    readFileSync(new URL('../../../../docs/config.schema.json', import.meta.url), 'utf8'),
  );
  expect(published).toEqual(
    JSON.parse(JSON.stringify(z.toJSONSchema(repositoryConfigSchema, { io: 'input' }))),
  );
});
