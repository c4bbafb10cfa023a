import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom, synthesize } from '@fettle/secrets/testing';
import { expect, test } from 'vitest';
import { openFolder } from '../../testing/open-folder.ts';
import { runFettle } from '../../testing/run-fettle.ts';

const bin = join(import.meta.dirname, '../../../bin/fettle.js');
const random = createRandom(21);
const token = synthesize('ghp_{an36}', random);

function pipe(args: string[], input: string) {
  const { PATH = '', HOME = '' } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    input,
    encoding: 'utf8',
    env: { PATH, HOME },
  });
  return { exitCode: status, stdout, stderr, lines: readLines(stdout) };
}

function readLines(text: string) {
  const lines = text.split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

test('scans a folder, and a finding says where the secret is without showing it', async () => {
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(`k=${token}`, 'utf16le')]);
  const folder = openFolder({
    'a.ts': 'const a = 1;\n',
    'src/b.ts': `\nconst t = "${token}";\n`,
    'src/c.txt': utf16,
    '.git/config': token,
    'node_modules/x/index.js': token,
  });
  symlinkSync(join(folder, 'src/b.ts'), join(folder, 'link.ts'));
  const { exitCode, stdout } = await runFettle(['secrets', 'scan', folder, '--json']);
  expect(exitCode).toBe(3);
  expect(readLines(stdout)).toEqual([
    {
      rule: 'github-token',
      file: join(folder, 'src/b.ts'),
      line: 2,
      column: 12,
      severity: 'high',
      excerpt: 'const t = "[redacted]";',
      fingerprint: expect.stringMatching(/^fs1-[0-9a-f]{16}$/),
    },
    expect.objectContaining({ file: join(folder, 'src/c.txt'), rule: 'github-token', line: 1 }),
  ]);
  const printed = await runFettle(['secrets', 'scan', join(folder, 'src', 'b.ts')]);
  expect(printed.exitCode).toBe(3);
  expect(printed.stdout).toContain('b.ts:2:12 high github-token const t = "[redacted]";');
  expect(printed.stdout).not.toContain(token.slice(4, 12));
});

test('prints nothing and exits with 0 when nothing is found', async () => {
  const folder = openFolder({ 'a.ts': 'const token = process.env.TOKEN;\n' });
  expect(await runFettle(['secrets', 'scan', folder])).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  expect(await runFettle(['secrets', 'scan', join(folder, 'a.ts'), '--json'])).toMatchObject({
    exitCode: 0,
    stdout: '',
  });
});

test('standard input is scanned under the given name', () => {
  const { exitCode, lines } = pipe(['secrets', 'scan', '-', '--name', 'x.diff', '--json'], `+ "${token}"`);
  expect(exitCode).toBe(3);
  expect(lines).toMatchObject([{ rule: 'github-token', file: 'x.diff', line: 1, column: 4 }]);
  expect(pipe(['secrets', 'scan', '-'], 'nothing')).toMatchObject({ exitCode: 0, stdout: '' });
});

test('--stdin-jsonl answers every line in order, even an invalid one', () => {
  const input = [
    JSON.stringify({ id: 'a', text: `t = "${token}"`, filename: 'a.ts' }),
    'not json',
    JSON.stringify({ id: 7, text: 'clean' }),
    JSON.stringify({ id: 'c', filename: 'no text' }),
    '',
    JSON.stringify({ id: 'd', text: '' }),
  ].join('\n');
  const { exitCode, lines } = pipe(['secrets', 'scan', '--stdin-jsonl'], input);
  expect(exitCode).toBe(0);
  expect(lines).toMatchObject([
    { id: 'a', findings: [{ rule: 'github-token', file: 'a.ts', line: 1 }] },
    { error: { code: 'usage' } },
    { id: 7, findings: [] },
    { id: 'c', error: { code: 'usage' } },
    { error: { code: 'usage' } },
    { id: 'd', findings: [] },
  ]);
});

test('wrong usage is reported', async () => {
  for (const args of [['/does/not/exist'], ['/dev/zero'], ['--stdin-jsonl', 'a.ts']]) {
    const { exitCode, stdout } = await runFettle(['secrets', 'scan', ...args, '--json']);
    expect([exitCode, JSON.parse(stdout).error.code], args.join(' ')).toEqual([2, 'usage']);
  }
  expect(await runFettle(['secrets', 'scan', '.', '--name', 'x'])).toMatchObject({ exitCode: 2 });
  const help = await runFettle(['secrets', 'scan', '--help']);
  expect(help).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('git diff --cached | fettle secrets scan -'),
  });
});
