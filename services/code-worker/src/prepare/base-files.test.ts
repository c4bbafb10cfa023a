/** What is read of the base commit before anything runs: rules and instructions, from a real repository. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { composeConfig, discover } from '@fettle/discovery';
import { expect, onTestFinished, test } from 'vitest';
import { openMirrorRoot } from '../mirror/mirror.ts';
import { readRules } from './read-config.ts';
import { readInstructions } from './read-instructions.ts';

interface Files {
  [path: string]: string | { link: string };
}

/** Where its objects are, and its one commit. */
function commit(files: Files) {
  const folder = mkdtempSync(join(tmpdir(), 'base-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    if (typeof content === 'string') writeFileSync(join(folder, path), content);
    else symlinkSync(content.link, join(folder, path));
  }
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  const env = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  const git = (...args: string[]) =>
    execFileSync('git', [...identity, ...args], { cwd: folder, env, encoding: 'utf8' }).trim();
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'first');
  return { mirror: join(folder, '.git'), commit: git('rev-parse', 'HEAD') };
}

async function rulesOf(files: Files) {
  const base = commit(files);
  return readRules(base.mirror, base.commit);
}

const manifest = JSON.stringify({ scripts: { test: 'x', lint: 'x' }, dependencies: { a: '1' } });
const tree = { 'package.json': manifest, 'yarn.lock': '# v1\n', Makefile: 'build:\n' };

test('without a config, the files at the root say it; what init writes from them says the same', async () => {
  const base = commit(tree);
  const root = await openMirrorRoot(base.mirror, base.commit);
  const rules = await readRules(base.mirror, base.commit);
  if (!rules.ok) throw new Error(rules.message);
  expect(rules.config).toMatchObject({
    setup: ['yarn install --frozen-lockfile'],
    commands: { lint: 'yarn run lint', test: 'yarn test', build: 'make build' },
  });
  const written = await rulesOf({ ...tree, '.fettle/config.yml': composeConfig(await discover(root)) });
  expect(written).toEqual({ ok: true, config: rules.config });
});

test('a config of its own is all that counts, an empty one too', async () => {
  const empty = await rulesOf({ ...tree, '.fettle/config.yml': '' });
  expect(empty.ok && [empty.config.setup, empty.config.commands]).toEqual([[], {}]);
  expect(await rulesOf({ ...tree, '.fettle/config.yml': 'setup: no' })).toMatchObject({ ok: false });
  expect(await rulesOf({ ...tree, '.fettle/config.yml': ' '.repeat(64_001) })).toMatchObject({
    ok: false,
    message: expect.stringContaining('64000'),
  });
  const linked = { 'rules.yml': 'protectedPaths: [a]\n', '.fettle/config.yml': { link: '../rules.yml' } };
  expect(await rulesOf({ ...tree, ...linked })).toMatchObject({
    ok: false,
    message: expect.stringContaining('symbolic link'),
  });
});

test('links, folders and what is deeper than the root are no files of it', async () => {
  const rules = await rulesOf({
    'real/package.json': manifest,
    'package.json': { link: 'real/package.json' },
    'go.mod': { link: 'real/package.json' },
    'Makefile/x': 'a folder',
    'Cargo.toml': { link: '/etc/passwd' },
  });
  expect(rules.ok && [rules.config.setup, rules.config.commands]).toEqual([[], {}]);
});

async function instructionsOf(files: Files) {
  const base = commit(files);
  return readInstructions(base.mirror, base.commit);
}

test('instructions are those of the commit, and links are followed inside of it only', async () => {
  expect(
    await instructionsOf({
      'docs/agents.md': 'Use tabs.',
      'AGENTS.md': { link: 'docs/agents.md' },
      'CLAUDE.md': { link: './AGENTS.md' },
      '.fettle/instructions.md': { link: '../docs/agents.md' },
    }),
  ).toEqual([
    { path: 'AGENTS.md', text: 'Use tabs.' },
    { path: '.fettle/instructions.md', text: 'Use tabs.' },
  ]);
  expect(
    await instructionsOf({
      'etc/passwd': 'in the tree, and not what is meant',
      'AGENTS.md': { link: '/etc/passwd' },
      'CLAUDE.md': { link: '../../../../../../etc/passwd' },
      '.fettle/instructions.md': { link: '../.git/config' },
    }),
  ).toEqual([]);
  expect(await instructionsOf({ 'AGENTS.md/x': 'a folder', 'CLAUDE.md': 'Use blanks.' })).toEqual([
    { path: 'CLAUDE.md', text: 'Use blanks.' },
  ]);
});

test('instructions that are too large are said to be, and hide no others', async () => {
  expect(await instructionsOf({ 'AGENTS.md': 'x'.repeat(2_000_001), 'CLAUDE.md': 'Use tabs.' })).toEqual([
    { path: 'AGENTS.md', text: undefined },
    { path: 'CLAUDE.md', text: 'Use tabs.' },
  ]);
  expect(
    await instructionsOf({ 'AGENTS.md': { link: 'large.md' }, 'large.md': 'x'.repeat(2_000_001) }),
  ).toEqual([{ path: 'AGENTS.md', text: undefined }]);
});
