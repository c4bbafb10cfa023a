import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { readRepositoryConfig } from '@fettle/contract/repository-config';
import { expect, test } from 'vitest';
import { openFolder } from '../../testing/open-folder.ts';
import { runFettle } from '../../testing/run-fettle.ts';
import { askYesNo } from '../../view/ask-yes-no.ts';
import { writeConfig } from './write-config.ts';

function makeRepository(files: Record<string, string>): string {
  const folder = openFolder(files);
  execFileSync('git', ['init', '-q', folder]);
  return folder;
}

const configOf = (folder: string) => join(folder, '.fettle', 'config.yml');
const manifest = JSON.stringify({
  name: 'x',
  version: '1.0.0',
  scripts: { test: 'node --test', build: 'true' },
});
const npmFiles = {
  'package.json': manifest,
  'a.test.mjs': "import test from 'node:test';\ntest('a', () => {});\n",
};

test('writes and prints the config, and replaces it only with --force', async () => {
  const folder = makeRepository(npmFiles);
  const first = await runFettle(['init', folder]);
  expect(first).toMatchObject({ exitCode: 0, stderr: '' });
  const text = readFileSync(configOf(folder), 'utf8');
  expect(text).toContain('  test: npm test # script "test" of package.json\n');
  for (const line of text.trimEnd().split('\n')) expect(first.stdout).toContain(line);
  expect(readdirSync(join(folder, '.fettle'))).toEqual(['config.yml']);

  writeFileSync(configOf(folder), 'mine\n');
  const again = await runFettle(['init', folder]);
  expect(again).toMatchObject({ exitCode: 3, stdout: '', stderr: expect.stringContaining('already exists') });
  expect(readFileSync(configOf(folder), 'utf8')).toBe('mine\n');
  expect(readdirSync(join(folder, '.fettle'))).toEqual(['config.yml']);
  const json = await runFettle(['init', folder, '--json']);
  expect([json.exitCode, JSON.parse(json.stdout).error.code]).toEqual([3, 'config_exists']);

  const forced = await runFettle(['init', folder, '--force', '--json']);
  expect(forced.exitCode).toBe(0);
  expect(JSON.parse(forced.stdout)).toEqual({
    path: configOf(folder),
    text,
    setup: [],
    commands: { test: 'npm test', build: 'npm run build' },
    sources: {
      setup: [],
      commands: { test: 'script "test" of package.json', build: 'script "build" of package.json' },
    },
    remarks: [],
  });
  expect(readFileSync(configOf(folder), 'utf8')).toBe(text);
});

test('--check runs the checks at once; without a terminal, nothing asks', async () => {
  const folder = makeRepository(npmFiles);
  const settings = { FETTLE_HOME: openFolder(), FETTLE_SANDBOX: 'process' };
  const commit = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-qm', 'a'];
  execFileSync('git', ['-C', folder, 'add', '.']);
  execFileSync('git', ['-C', folder, ...commit]);
  const asked = await runFettle(['init', folder, '--check'], settings);
  expect(asked.stdout).toMatch(/✓ wrote .*✓ test: passed/s);
  expect(asked.exitCode).toBe(0);
  const not = await runFettle(['init', folder, '--force', '--no-check'], settings);
  expect(not.stdout).not.toContain('test: passed');
  const json = await runFettle(['init', folder, '--force', '--json', '--check'], settings);
  expect(json).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--check') });
});

test('on a terminal it asks whether to check now', async () => {
  const ask = (answer: string) => {
    const input = new PassThrough();
    const asking = askYesNo('Run it?', { input, output: new PassThrough() });
    input.end(answer);
    return asking;
  };
  expect(await Promise.all(['\n', 'y\n', 'Yes\n', 'n\n', 'x\n', ''].map(ask))).toEqual([
    ...[true, true, true, false, false, false],
  ]);
});

test('--print writes nothing and prints only the config', async () => {
  const folder = makeRepository({ 'go.mod': 'module x\n' });
  const { exitCode, stdout } = await runFettle(['init', folder, '--print']);
  expect(exitCode).toBe(0);
  expect(readRepositoryConfig(stdout)).toMatchObject({ config: { commands: { test: 'go test -v ./...' } } });
  expect(existsSync(join(folder, '.fettle'))).toBe(false);
});

test('writes a template and warns when it detects nothing', async () => {
  const folder = makeRepository({ 'README.md': '' });
  const { exitCode, stderr } = await runFettle(['init', folder]);
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('no check commands were detected')]);
  const text = readFileSync(configOf(folder), 'utf8');
  expect(text).toContain('#   test: npm test\n');
  const reading = readRepositoryConfig(text);
  expect(reading.ok && [reading.config.setup, reading.config.commands]).toEqual([[], {}]);
});

test('a folder without a repository, a bare repository and a missing folder are wrong usage', async () => {
  const folder = openFolder({ 'package.json': manifest });
  execFileSync('git', ['init', '-q', '--bare', join(folder, 'bare.git')]);
  const sentences: [string, string][] = [
    [folder, 'is not the root of a git repository'],
    [join(folder, 'bare.git'), 'is a bare repository'],
    [join(folder, 'nothing'), 'is not a folder'],
  ];
  for (const [path, sentence] of sentences) {
    const { exitCode, stderr } = await runFettle(['init', path]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  }
  expect(existsSync(join(folder, '.fettle'))).toBe(false);
});

test('reports a config that cannot be written', async () => {
  // Not even root can create a folder there.
  await expect(writeConfig('/sys', 'x', { force: false })).rejects.toMatchObject({
    code: 'config_not_written',
    exitCode: 1,
    message: expect.stringMatching(/^\/sys\/\.fettle\/config\.yml cannot be written: /),
  });
  const folder = makeRepository({ '.fettle': 'a file' });
  const { exitCode, stderr } = await runFettle(['init', folder]);
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringContaining('cannot be written: .fettle is not a folder'),
  ]);
});

test('follows no symbolic link out of the folder, neither to read nor to write', async () => {
  const elsewhere = openFolder({ 'package.json': manifest, 'config.yml': 'theirs\n' });
  const folder = makeRepository({});
  symlinkSync(join(elsewhere, 'package.json'), join(folder, 'package.json'));
  symlinkSync(elsewhere, join(folder, '.fettle'));
  expect((await runFettle(['init', folder, '--force'])).exitCode).toBe(1);
  rmSync(join(folder, '.fettle'));
  mkdirSync(join(folder, '.fettle'));
  symlinkSync(join(elsewhere, 'config.yml'), configOf(folder));
  expect((await runFettle(['init', folder])).exitCode).toBe(3);
  const { stdout } = await runFettle(['init', folder, '--force', '--json']);
  expect(JSON.parse(stdout).commands).toEqual({});
  expect(readFileSync(join(elsewhere, 'config.yml'), 'utf8')).toBe('theirs\n');
  expect(readdirSync(elsewhere)).toEqual(['config.yml', 'package.json']);
});

const works = (...[program = '', ...args]: string[]) => spawnSync(program, args).status === 0;
const pytestFiles = { 'pytest.ini': '[pytest]\n', 'test_a.py': 'def test_a():\n    assert 1 + 1 == 2\n' };
const crate = { 'Cargo.toml': '[package]\nname = "x"\nversion = "0.1.0"\n', 'src/lib.rs': '' };
const trees: { name: string; files: Record<string, string>; checks: string[]; isInstalled: boolean }[] = [
  { name: 'npm', files: npmFiles, checks: ['test', 'build'], isInstalled: true },
  {
    name: 'make',
    files: { Makefile: 'lint:\n\ttrue\ncheck: lint\n\techo fine\n' },
    checks: ['lint', 'test'],
    isInstalled: works('make', '--version'),
  },
  {
    name: 'pytest',
    files: pytestFiles,
    checks: ['test'],
    isInstalled: works('python3', '-m', 'pytest', '--version'),
  },
  { name: 'cargo', files: crate, checks: ['test', 'build'], isInstalled: works('cargo', '--version') },
];

test.for(trees)('the written commands run: $name', async ({ name, files, checks, isInstalled }, { skip }) => {
  skip(!isInstalled, `${name} is not installed`);
  const folder = makeRepository(files);
  const { stdout } = await runFettle(['init', folder, '--json']);
  const commands: Record<string, string> = JSON.parse(stdout).commands;
  expect(Object.keys(commands)).toEqual(checks);
  for (const command of Object.values(commands)) {
    const { status, output } = spawnSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' });
    expect([command, status, output.join('').slice(0, 500)]).toEqual([command, 0, expect.any(String)]);
  }
});
