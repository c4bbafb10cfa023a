import { expect, test } from 'vitest';
import { openFolder, openRepository } from '../../testing/open-folder.ts';
import { runFettle } from '../../testing/run-fettle.ts';

test('checks beside a config with only protected paths, and a red lint that names no failure', async () => {
  const scripts = { test: 'node --test', lint: 'node lint.mjs' };
  const shop = openRepository({
    'package.json': JSON.stringify({ name: 'x', version: '1.0.0', scripts }),
    'lint.mjs': 'console.log("bad");\nprocess.exit(1);\n',
    'a.test.mjs': 'import test from "node:test";\ntest("a", () => {});\n',
    '.fettle/config.yml': 'protectedPaths: [infra]\n',
  });
  const settings = { FETTLE_HOME: openFolder(), FETTLE_SANDBOX: 'process' };
  const { exitCode, stdout } = await runFettle(['check', '--repo', shop, '--json'], settings);
  const unreadable = /^It fails without any change, and its output does not name the failures\..*bad/;
  expect([exitCode, JSON.parse(stdout).checks]).toMatchObject([
    0,
    [
      { name: 'lint', status: 'could_not_run', reason: expect.stringMatching(unreadable) },
      { name: 'test', status: 'passed' },
    ],
  ]);
});
