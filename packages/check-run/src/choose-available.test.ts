import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Discovered, FoundCommand } from '@fettle/discovery';
import { startSandbox } from '@fettle/sandbox';
import { afterAll, expect, test } from 'vitest';
import { chooseAvailable } from './choose-available.ts';
import { describeMissing } from './probe-commands.ts';

const folder = mkdtempSync(join(tmpdir(), 'fettle-check-run-'));
const sandbox = await startSandbox({ backend: 'process', folder });
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

const found = (command: string, program: string, instead?: FoundCommand[]): FoundCommand => ({
  ...{ command, source: 'x', probe: `command -v ${program}` },
  ...(instead && { instead }),
});

async function choose(test: FoundCommand) {
  const discovered: Discovered = { setup: [], commands: { test }, remarks: [] };
  const { commands } = await chooseAvailable(sandbox, discovered, new AbortController().signal);
  return commands.test?.command;
}

test('the first command whose program is available is used', async () => {
  const others = [found('b', 'absent-b'), found('c', 'sh'), found('d', 'sh')];
  expect(await choose(found('a', 'sh', others))).toBe('a');
  expect(await choose(found('a', 'absent-a', others))).toBe('c');
});

test('without any of them, the first remains, and is reported', async () => {
  expect(await choose(found('a', 'absent-a', [found('b', 'absent-b')]))).toBe('a');
});

test.each([
  [found('go vet ./...', 'go'), 'go vet ./...: `go` is not in the sandbox; install it'],
  [
    { ...found('cargo test', 'cargo'), needs: 'Rust 1.85 or later' },
    'cargo test: it needs Rust 1.85 or later, which is not in the sandbox; install it',
  ],
  [
    { ...found('rspec', 'x'), probe: 'bundle exec rspec --version' },
    'rspec: `bundle exec rspec --version` fails in the sandbox; install it',
  ],
])('one sentence says what is missing, and what would help', (command, start) => {
  expect(describeMissing(command).startsWith(start)).toBe(true);
});
