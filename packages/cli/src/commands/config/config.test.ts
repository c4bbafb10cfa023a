import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFolder } from '../../testing/open-folder.ts';
import { runFettle } from '../../testing/run-fettle.ts';

const folder = openFolder({ 'fettle/config.yml': '' });
const write = (text: string) => writeFile(join(folder, 'fettle', 'config.yml'), text);
const fettle = (args: string[], settings: Record<string, string> = {}) =>
  runFettle(args, { XDG_CONFIG_HOME: folder, ...settings });

test('shows the values that apply and where they come from, and no password', async () => {
  await write('model: openai:gpt-5.4\nbudgets:\n  usd: 0.5\nopenaiUrl: http://local/v1\n');
  const { exitCode, stdout } = await fettle(['config', '--json'], {
    OPENAI_BASE_URL: 'http://ana:password@models/v1',
  });
  expect(exitCode).toBe(0);
  const { path, exists, values } = JSON.parse(stdout);
  expect([path, exists]).toEqual([join(folder, 'fettle', 'config.yml'), true]);
  expect(values).toEqual(
    expect.arrayContaining([
      { key: 'model', value: 'openai:gpt-5.4', source: 'file', variable: 'FETTLE_MODEL' },
      { key: 'openaiUrl', value: 'http://…@models/v1', source: 'environment', variable: 'OPENAI_BASE_URL' },
      { key: 'budgets.usd', value: 0.5, source: 'file' },
      { key: 'review', value: null, source: 'default' },
    ]),
  );
});

test('the file decides which key is needed, and the environment wins over it', async () => {
  await write('model: openai:gpt-5.4\n');
  const run = ['run', 'fix', 'x', '--repo', '.'];
  expect((await fettle(run)).stderr).toContain('OPENAI_API_KEY is not set');
  expect((await fettle(run, { FETTLE_MODEL: 'claude-sonnet-5-5' })).stderr).toContain(
    'ANTHROPIC_API_KEY is not',
  );
  expect((await fettle([...run, '--model', 'claude-opus-5-5'])).stderr).toContain('ANTHROPIC_API_KEY is not');
});

test('the default repository is used outside of any, and an option wins over the file', async () => {
  await write('repo: ./absent\nbudgets:\n  turns: 0\n');
  expect(await fettle(['run', 'fix', 'x'])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('budgets.turns: must be more than 0 (line 3)'),
  });
  await write('repo: ~/shop\n');
  const { stderr } = await runFettle(['run', 'fix', 'x'], { XDG_CONFIG_HOME: folder }, { cwd: '/' });
  // The repository was accepted, and the key comes next.
  expect(stderr).toContain('ANTHROPIC_API_KEY is not set');
});

test('a mistake in the file stops every command that reads it, as wrong usage', async () => {
  await write('colour: false\n');
  const { exitCode, stdout, stderr } = await fettle(['operations', '--json']);
  expect([exitCode, JSON.parse(stdout).error.code]).toEqual([2, 'usage']);
  expect(stderr).toContain('config.yml: colour: is not a known field (line 1).');
  expect((await fettle(['--help'])).exitCode).toBe(0);
});
