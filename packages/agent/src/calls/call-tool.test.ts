/** All tools over a real toolbox: the result for the model, and the files afterwards. */

import { createPathJudge, judgeCommand } from '@fettle/policy';
import { describe, expect, test } from 'vitest';
import { openStage } from '../testing/stage.ts';
import { defaultToolLimits, type Install } from '../tools/tool.ts';
import { toolsFor } from '../tools/tool-set.ts';
import { callTool } from './call-tool.ts';
import { noHooks } from './hooks.ts';
import { createKeptOutputs } from './kept-outputs.ts';
import { noSecretTokens } from './place-secrets.ts';

const { sandbox, folder } = await openStage();

const asked: unknown[] = [];
const install: Install = async (request) => {
  asked.push(request);
  if (request.folder === 'nowhere') return { ok: false, reason: 'there is no package.json in nowhere' };
  const result = await sandbox.run({ command: `echo added; exit ${request.update ? 1 : 0}` });
  return { ok: true, runs: [{ command: 'npm ci', result }], note: '3 requests to the registry.' };
};

const history = {
  baseFile: async (path: string) =>
    path === 'a.txt' ? { bytes: Buffer.from('base\n'), executable: false } : undefined,
  changedFiles: async () => [{ path: 'a.txt', status: 'modified' }],
  diff: async () => '+line\n',
  log: async () => [{ oid: 'abcdef0123456789', date: '2026-01-01', author: 'Ada', subject: 'first' }],
};

async function call(tool: string, input: unknown, limits: Partial<typeof defaultToolLimits> = {}) {
  const saved: (string[] | undefined)[] = [];
  const { result } = await callTool(
    { tool, input },
    {
      tools: toolsFor('fix'),
      context: {
        sandbox,
        history,
        commands: { test: 'echo tested; exit 3' },
        install,
        limits: { ...defaultToolLimits, ...limits },
        signal: new AbortController().signal,
        outputs: createKeptOutputs(),
        rateLimit: async () => {},
      },
      secrets: noSecretTokens,
      mask: (text) => text.replaceAll('the-key', '[masked]'),
      hooks: noHooks,
      judgePath: createPathJudge({ protectedPaths: ['locked/**'] }),
      commandPolicy: { mode: 'strict', judge: judgeCommand },
      async saveChanges(paths) {
        saved.push(paths);
        return {
          changed: (paths ?? []).map((path) => ({ path, change: 'written' as const })),
          checkpoint: 'c0ffee',
          refused: [],
        };
      },
    },
  );
  return { said: `${result.status}: ${result.output}`, saved, result };
}

const content = async (path: string) => (await sandbox.readFile(path)).bytes.toString();

describe('files', () => {
  test('write, read by lines, edit, delete, reset', async () => {
    expect((await call('write_file', { path: 'dir/new.txt', content: 'one\ntwo\nthree\n' })).said).toBe(
      'ok: Wrote 14 bytes to dir/new.txt.',
    );
    expect((await call('read_file', { path: 'dir/new.txt', offset: 2, limit: 1 })).said).toBe(
      'ok:      2\ttwo\n(lines 2 to 2 of 3; continue with offset 3)',
    );
    const edits = [
      { old: 'one', new: '1' },
      { old: 'three', new: '3' },
    ];
    const edited = await call('edit_file', { path: 'dir/new.txt', edits });
    expect(edited.said).toBe('ok: Changed dir/new.txt in 2 places.');
    expect(edited.saved).toEqual([['dir/new.txt']]);
    expect(edited.result).toMatchObject({
      checkpoint: 'c0ffee',
      changed: [{ path: 'dir/new.txt', change: 'written' }],
    });
    expect(await content('dir/new.txt')).toBe('1\ntwo\n3\n');
    expect((await call('delete_file', { path: 'dir/new.txt' })).said).toBe('ok: Deleted dir/new.txt.');
    expect((await call('reset_file', { path: 'a.txt' })).said).toBe(
      'ok: a.txt is restored from the base commit.',
    );
    expect(await content('a.txt')).toBe('base\n');
  });

  test('an edit that does not match changes nothing', async () => {
    await call('write_file', { path: 'twice.txt', content: 'x\nx\n' });
    const { said, saved } = await call('edit_file', { path: 'twice.txt', edits: [{ old: 'x', new: 'y' }] });
    expect(said).toMatch(/^failed: Nothing was changed in twice\.txt: the old text occurs 2 times/);
    expect(saved).toEqual([]);
    expect(await content('twice.txt')).toBe('x\nx\n');
  });

  test.each([
    ['read_file', { path: 'absent' }, /^failed: .*absent/],
    [
      'read_file',
      { path: '../../../etc/passwd' },
      /^denied: .*may not be read: it leads out of the repository/,
    ],
    ['read_file', { path: '/etc/passwd' }, /^denied: /],
    [
      'read_file',
      { path: '.env' },
      /^denied: .env may not be read: .*credentials.*\(rule environment-file\)/,
    ],
    ['list_directory', { path: '.ssh' }, /^denied: /],
    ['search_text', { pattern: 'x', path: 'config/.aws' }, /^denied: /],
    ['git_log', { path: '.npmrc' }, /^denied: /],
    ['write_file', { path: 'CLAUDE.md', content: '' }, /^denied: CLAUDE.md may not be changed/],
    ['delete_file', { path: '.env' }, /^denied: .env may not be deleted/],
    ['read_file', { path: '.' }, /^failed: .*directory/],
    ['write_file', { path: '.git/config', content: '' }, /^denied: .*rule/],
    [
      'write_file',
      { path: 'locked/x', content: '' },
      /^denied: locked\/x may not be changed: .*\(rule locked\/\*\*\)/,
    ],
    ['delete_file', { path: '.Fettle/config.yml' }, /^denied: /],
    ['read_file', { path: 'a.txt', extra: 1 }, /^failed: read_file was not run: extra: /],
    ['reset_file', { path: 'not-in-base-nor-here' }, /^failed: /],
  ])('%s %o is rejected with a reason', async (tool, input, expected) => {
    expect((await call(tool, input)).said).toMatch(expected);
  });

  test('the result of a call over a limit says how to continue', async () => {
    await call('write_file', { path: 'big.txt', content: 'x'.repeat(5_000) });
    expect((await call('read_file', { path: 'big.txt' }, { readBytes: 1_000 })).said).toMatch(
      /^failed: .*5000.*1000.*search_text/,
    );
    expect(
      (await call('write_file', { path: 'b', content: 'x'.repeat(2_000) }, { writeBytes: 1_000 })).said,
    ).toMatch(/split it into several/);
    expect((await call('read_file', { path: 'big.txt' }, { outputCharacters: 100 })).said).toMatch(
      /characters left out here/,
    );
    expect((await call('run_command', { command: 'sleep 30' }, { commandSeconds: 1 })).said).toMatch(
      /^failed: .*stopped by Fettle after 1 s/,
    );
    expect(
      (await call('run_command', { command: 'seq 100000' }, { commandOutputBytes: 1_000 })).said.length,
    ).toBeLessThan(3_000);
  });
});

test.each(['delete_file', 'list_directory', 'reset_file'])(
  'the errors of %s contain no path of this machine',
  async (tool) => {
    const { said } = await call(tool, { path: 'not/here' });
    expect(said).toMatch(/^failed: /);
    expect(said).not.toContain(folder);
  },
);

test('listing and searching', async () => {
  await call('write_file', { path: 'src/a.ts', content: 'const needle = 1;\n' });
  expect((await call('list_directory', { path: 'src' })).said).toBe('ok: src/a.ts');
  expect((await call('search_files', { pattern: '**/*.ts' })).said).toBe('ok: src/a.ts');
  expect((await call('search_text', { pattern: 'need.e' })).said).toBe('ok: src/a.ts:1: const needle = 1;');
  expect((await call('search_text', { pattern: '(' })).said).toMatch(/^failed: /);
  expect((await call('search_text', { pattern: '(', literal: true })).said).toBe('ok: Nothing matches (.');
});

test('a file name with a line break is shown on one line', async () => {
  await sandbox.run({ command: "printf needle > 'a\nM b'" });
  const shown = String.raw`"a\nM b"`;
  expect((await call('list_directory', { path: '.' })).said).toContain(shown);
  expect((await call('search_files', { pattern: '**' })).said).toContain(shown);
  expect((await call('search_text', { pattern: 'needle' })).said).toContain(`${shown}:1: needle`);
});

test('a search returns no lines of files that may not be read', async () => {
  await sandbox.writeFile('.env', Buffer.from('HAYSTACK=needle-in-a-file\n'));
  await sandbox.writeFile('CLAUDE.md', Buffer.from('needle-in-a-file\n'));
  expect((await call('search_text', { pattern: 'needle-in-a-file' })).said).toBe(
    'ok: CLAUDE.md:1: needle-in-a-file\n(1 match left out: it is in a file that may not be read)',
  );
  expect((await call('search_text', { pattern: 'HAYSTACK' })).said).not.toContain('needle');
  expect((await call('read_file', { path: 'CLAUDE.md' })).said).toContain('needle');
});

test('commands and checks report their exit code, and all files are saved after them', async () => {
  await call('write_file', { path: 'exit.mjs', content: 'console.error("err");\nprocess.exit(7);\n' });
  const ran = await call('run_command', { command: 'echo out; node exit.mjs' });
  expect(ran.said).toBe('failed: out\nerr\n(exit code 7)');
  expect(ran.result.rules).toEqual(['echo', 'node']);
  expect(ran.saved).toEqual([undefined]);
  expect((await call('test', {})).said).toMatch(
    /^failed: test failed in [\d.]+ s \(exit code 3\)\nThe end of its output:\ntested\n$/,
  );
  expect((await call('lint', {})).said).toBe(
    'failed: This repository has no command for lint. Use run_command if you know one.',
  );
});

test('the git tools read the worker’s own history', async () => {
  expect((await call('git_status', {})).said).toBe('ok: modified a.txt');
  expect((await call('git_diff', {})).said).toBe('ok: +line\n');
  expect((await call('git_log', {})).said).toBe('ok: abcdef0123 2026-01-01 Ada: first');
});

describe('install_dependencies', () => {
  test('reports the commands, their exit codes and the registry requests', async () => {
    const { said } = await call('install_dependencies', { packages: ['@types/node@^24.0.0', 'left-pad'] });
    expect(said).toBe('ok: $ npm ci\nadded\n(exit code 0)\n3 requests to the registry.');
    expect(asked.at(-1)).toEqual({
      packages: ['@types/node@^24.0.0', 'left-pad'],
      dev: false,
      update: false,
      folder: '',
    });
    expect((await call('install_dependencies', { updateLockfile: true })).said).toMatch(
      /^failed: .*exit code 1/s,
    );
    expect((await call('install_dependencies', { folder: 'nowhere' })).said).toBe(
      'failed: Nothing was installed: there is no package.json in nowhere.',
    );
  });

  test.each([
    ...['--registry=https://elsewhere.example', '-g', 'https://elsewhere.example/a.tgz'],
    ...['git+ssh://elsewhere.example/a', 'owner/repository', 'file:../a', 'a@npm:b', 'a@github:owner/b'],
    ...['a@../b', '.', '../a', 'a b', 'a\nb', '@scope'],
  ])('rejects %s: only package names with versions are valid', async (name) => {
    const before = asked.length;
    expect((await call('install_dependencies', { packages: [name] })).said).toMatch(
      /^failed: install_dependencies was not run: packages/,
    );
    expect(asked).toHaveLength(before);
  });
});
