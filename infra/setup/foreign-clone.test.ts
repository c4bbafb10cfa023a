/** A clone that another user has set up. */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

test('set-up that is needed and not possible ends with one message that says what to do', ({ skip }) => {
  const clone = mkdtempSync(join(tmpdir(), 'foreign-'));
  onTestFinished(() => {
    chmodSync(clone, 0o755);
    rmSync(clone, { recursive: true });
  });
  mkdirSync(join(clone, 'infra'));
  cpSync(import.meta.dirname, join(clone, 'infra', 'setup'), { recursive: true });
  for (const name of ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'])
    cpSync(join(root, name), join(clone, name));
  chmodSync(clone, 0o555);
  // The superuser can write anywhere.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chmodSync(dirname(clone), 0o755);
  const become = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : ['env'];
  const [program = '', ...args] = [...become, process.execPath, join(clone, 'infra/setup/setup.mjs'), 'true'];
  const { status, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: clone },
  });
  skip(/^setpriv: failed/.test(stderr), 'another user cannot access the Node of this workspace');
  const lines = stderr.split('\n');
  expect([status, lines.length]).toEqual([1, 3]);
  expect(lines[0]).toMatch(
    new RegExp(`^✗ This clone is not set up, and you cannot write to ${clone} \\(owner: `),
  );
  expect(lines[1]).toContain("Run 'npm run setup' as that user, make the clone yours");
});
