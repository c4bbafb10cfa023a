import { openMirrorRoot, readConfig } from '@fettle/check-run';
/** Reads the config and the instructions of a base commit, from real repositories. */
import { composeConfig, discover } from '@fettle/discovery';
import { expect, test } from 'vitest';
import { type Files, makeRepository } from '../testing/make-repository.ts';
import { readInstructions } from './read-instructions.ts';

async function makeCommit(files: Files) {
  const repository = await makeRepository();
  return { mirror: repository.mirror, commit: await repository.commit(files) };
}

async function configOf(files: Files) {
  const { mirror, commit } = await makeCommit(files);
  return readConfig(mirror, commit);
}

const manifest = JSON.stringify({ scripts: { test: 'x', lint: 'x' }, dependencies: { a: '1' } });
const tree = { 'package.json': manifest, 'yarn.lock': '# v1\n', Makefile: 'build:\n' };

test('without a config, discovery reads the files at the root, and a config written by init says the same', async () => {
  const { mirror, commit } = await makeCommit(tree);
  const root = await openMirrorRoot(mirror, commit);
  const reading = await readConfig(mirror, commit);
  if (!reading.ok) throw new Error(reading.message);
  expect(reading.config).toMatchObject({
    setup: ['yarn install --frozen-lockfile'],
    commands: { lint: 'yarn run lint', test: 'yarn test', build: 'make build' },
  });
  const written = await configOf({ ...tree, '.fettle/config.yml': composeConfig(await discover(root)) });
  expect(written).toEqual({ ok: true, hasFile: true, named: ['setup', 'commands'], config: reading.config });
});

const found = { setup: ['yarn install --frozen-lockfile'], test: 'yarn test' };

test.each([
  ['protectedPaths: [infra]', found.setup, found.test],
  ['policy: { commands: strict }', found.setup, found.test],
  ['', found.setup, found.test],
  ['commands: { lint: make lint }', found.setup, undefined],
  ['commands: {}', found.setup, undefined],
  ['setup: [make deps]', ['make deps'], found.test],
  ['setup: []', [], found.test],
  ['setup: []\ncommands: {}', [], undefined],
])('discovery adds what the config %j does not name', async (text, setup, command) => {
  const reading = await configOf({ ...tree, '.fettle/config.yml': text });
  expect(reading.ok && [reading.config.setup, reading.config.commands.test]).toEqual([setup, command]);
});

test('a config that is wrong, too long or a link is refused', async () => {
  expect(await configOf({ ...tree, '.fettle/config.yml': 'setup: no' })).toMatchObject({ ok: false });
  const refused = (reason: string) => ({ ok: false, message: expect.stringContaining(reason) });
  const long = { '.fettle/config.yml': ' '.repeat(64_001) };
  expect(await configOf({ ...tree, ...long })).toMatchObject(refused('64000'));
  const linked = { 'rules.yml': 'protectedPaths: [a]\n', '.fettle/config.yml': { link: '../rules.yml' } };
  expect(await configOf({ ...tree, ...linked })).toMatchObject(refused('symbolic link'));
});

test('discovery ignores links, folders, and projects of the documentation', async () => {
  const reading = await configOf({
    'docs/real/package.json': manifest,
    'package.json': { link: 'docs/real/package.json' },
    'go.mod': { link: 'docs/real/package.json' },
    'Makefile/x': 'a folder',
    'Cargo.toml': { link: '/etc/passwd' },
  });
  expect(reading.ok && [reading.config.setup, reading.config.commands]).toEqual([[], {}]);
});

async function instructionsOf(files: Files) {
  const { mirror, commit } = await makeCommit(files);
  return readInstructions(mirror, commit);
}

test('instructions come from the commit, and links are followed only inside it', async () => {
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
      'etc/passwd': 'in the tree, but not the target of the link',
      'AGENTS.md': { link: '/etc/passwd' },
      'CLAUDE.md': { link: '../../../../../../etc/passwd' },
      '.fettle/instructions.md': { link: '../.git/config' },
    }),
  ).toEqual([]);
  expect(await instructionsOf({ 'AGENTS.md/x': 'a folder', 'CLAUDE.md': 'Use blanks.' })).toEqual([
    { path: 'CLAUDE.md', text: 'Use blanks.' },
  ]);
});

test('instructions that are too large are listed without text, and do not hide others', async () => {
  expect(await instructionsOf({ 'AGENTS.md': 'x'.repeat(2_000_001), 'CLAUDE.md': 'Use tabs.' })).toEqual([
    { path: 'AGENTS.md', text: undefined },
    { path: 'CLAUDE.md', text: 'Use tabs.' },
  ]);
  expect(
    await instructionsOf({ 'AGENTS.md': { link: 'large.md' }, 'large.md': 'x'.repeat(2_000_001) }),
  ).toEqual([{ path: 'AGENTS.md', text: undefined }]);
});
