import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SearchTextOptions } from '../src/host/sandbox.ts';
import { findProgram } from '../src/proc/find-program.ts';
import { expectRefusal, makeTemporaryFolder, startWithTree } from '../src/testing/test-sandbox.ts';

const systemPath = '/usr/local/bin:/usr/bin:/bin';
const hasRipgrep = findProgram('rg', systemPath) !== undefined;

const files = {
  '.gitignore': 'ignored/\n*.log\n',
  'sub/.gitignore': '/private\n',
  'a.ts': 'const Alpha = 1;\r\nlet beta = Alpha - 1;\n',
  'sub/b.ts': 'alpha();\n',
  'sub/private': 'Alpha in private, but tracked\n',
  'with\nnewline.txt': 'Alpha\n',
  'ünï.md': 'Alpha “ünï”',
  'ignored/tracked.ts': 'Alpha tracked\n',
  'binary.dat': {
    content: Buffer.concat([Buffer.from('Alpha\n'), Buffer.from([0]), Buffer.from('Alpha\n')]),
  },
  'long.txt': `${'Alpha ü'.repeat(5000)}\n`,
  '.config/x.yml': 'Alpha: 1\n',
  link: { link: 'a.ts' },
  '.rgignore': '*\n',
  '.ignore': '*\n',
};

/** A PATH without ripgrep. */
function makeSearchPath(engine: 'rg' | 'node'): string {
  if (engine === 'rg') return systemPath;
  const folder = makeTemporaryFolder();
  for (const name of ['git', 'mkfifo'])
    symlinkSync(findProgram(name, systemPath) ?? name, join(folder, name));
  return folder;
}

function startEngine(engine: 'rg' | 'node') {
  return startWithTree({ files, searchPath: makeSearchPath(engine) });
}

describe.each(['node', ...(hasRipgrep ? (['rg'] as const) : [])] as const)('with %s', (engine) => {
  it('files that a command writes outside of the workspace do not affect the result', async () => {
    const { sandbox, workspace } = await startEngine(engine);
    const before = await sandbox.searchText({ pattern: 'Alpha' });
    writeFileSync(join(workspace, '../ignore-rules'), '*\n');
    const after = await sandbox.searchText({ pattern: 'Alpha' });
    expect(before.matches.length).toBeGreaterThan(5);
    expect(after.matches).toEqual(before.matches);
  });

  it('finds lines in tracked and unignored files, in order', async () => {
    const { sandbox, workspace } = await startEngine(engine);
    writeFileSync(join(workspace, 'noise.log'), 'Alpha\n');
    const result = await sandbox.searchText({ pattern: 'Alpha', maxLineLength: 20 });
    expect(result).toEqual({
      engine,
      truncated: false,
      programMs: expect.any(Number),
      matches: [
        { path: '.config/x.yml', line: 1, text: 'Alpha: 1' },
        { path: 'a.ts', line: 1, text: 'const Alpha = 1;' },
        { path: 'a.ts', line: 2, text: 'let beta = Alpha - 1' },
        { path: 'ignored/tracked.ts', line: 1, text: 'Alpha tracked' },
        { path: 'long.txt', line: 1, text: 'Alpha üAlpha üAlpha ' },
        { path: 'sub/private', line: 1, text: 'Alpha in private, bu' },
        { path: 'with\nnewline.txt', line: 1, text: 'Alpha' },
        { path: 'ünï.md', line: 1, text: 'Alpha “ünï”' },
      ],
    });
  });

  it('supports patterns, fixed strings, folders, globs and limits', async () => {
    const { sandbox } = await startEngine(engine);
    const find = async (options: SearchTextOptions) => {
      const { matches, truncated } = await sandbox.searchText(options);
      return [...matches.map(({ path, line }) => `${path}:${line}`), ...(truncated ? ['…'] : [])];
    };
    expect(await find({ pattern: '^alpha', ignoreCase: true, glob: '*.ts' })).toEqual([
      'ignored/tracked.ts:1',
      'sub/b.ts:1',
    ]);
    expect(await find({ pattern: '(?i)^ALPHA\\(\\)', path: 'sub' })).toEqual(['sub/b.ts:1']);
    expect(await find({ pattern: '1;$' })).toEqual(['a.ts:1', 'a.ts:2']);
    expect(await find({ pattern: 'alpha();', fixed: true })).toEqual(['sub/b.ts:1']);
    expect(await find({ pattern: 'Alpha', path: 'a.ts' })).toEqual(['a.ts:1', 'a.ts:2']);
    expect(await find({ pattern: 'Alpha', maxResults: 2 })).toEqual(['.config/x.yml:1', 'a.ts:1', '…']);
    expect(await find({ pattern: 'nowhere to be found' })).toEqual([]);
    expect(await find({ pattern: '-dash', fixed: true })).toEqual([]);
    expect(await find({ pattern: 'Alpha(?= -)' })).toEqual(['a.ts:2']);
  });

  it('explains an invalid pattern', async () => {
    const { sandbox } = await startEngine(engine);
    await expectRefusal(sandbox.searchText({ pattern: '(unclosed' }), 'bad_pattern', /unclosed|Unterminated/);
    await expectRefusal(sandbox.searchText({ pattern: 'x', path: '../x' }), 'outside');
    await expectRefusal(sandbox.searchText({ pattern: 'x', path: 'absent' }), 'not_found');
  });
});

it('times out on a catastrophic pattern, and continues to serve', async () => {
  const { sandbox } = await startWithTree({
    files: { 'a.txt': `${'a'.repeat(5000)}b\n` },
    searchPath: makeSearchPath('node'),
  });
  const search = sandbox.searchText({ pattern: '^(a+)+$', timeoutMs: 1000 });
  expect((await sandbox.readFile('a.txt')).size).toBe(5002);
  await expectRefusal(search, 'timeout', /simpler pattern/);
  expect((await sandbox.searchText({ pattern: 'b$' })).matches).toHaveLength(1);
});
