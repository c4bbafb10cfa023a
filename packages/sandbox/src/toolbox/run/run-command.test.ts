import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toArgv } from './run-command.ts';

const shells = ['/bin/sh', '/bin/dash', '/bin/bash'].filter((shell) => existsSync(shell));

function exitCodeOf(command: string, shell: string): number | null {
  const [file = '', ...args] = toArgv(command, shell);
  return spawnSync(file, args).status;
}

test.each(shells)('%s distinguishes a real-time signal from success', (shell) => {
  expect(exitCodeOf(`sh -c 'kill -40 $$'`, shell)).toBe(128 + 40);
  expect(exitCodeOf('true', shell)).toBe(0);
  expect(exitCodeOf('exit 3', shell)).toBe(3);
  expect(exitCodeOf('# nothing\nfalse', shell)).toBe(1);
  expect(exitCodeOf('trap "exit 4" 0; true', shell)).toBe(4);
});
