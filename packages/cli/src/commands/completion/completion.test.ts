import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { findProgram } from '../../process/find-program.ts';
import { openFolder } from '../../testing/open-folder.ts';
import { runFettle } from '../../testing/run-fettle.ts';

const folder = openFolder();
beforeAll(async () => {
  // Stands for the command in the scripts: only ids are asked for.
  await writeFile(join(folder, 'fettle'), '#!/bin/sh\necho latest\necho op_1\n', { mode: 0o755 });
  for (const shell of ['bash', 'zsh', 'fish'])
    await writeFile(join(folder, shell), (await runFettle(['completion', shell])).stdout);
});

const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, {
    encoding: 'utf8',
    cwd: folder,
    env: { PATH: `${folder}:${process.env.PATH}`, HOME: folder },
  });

/** What the shell offers for the last word. */
const complete = {
  bash(words: string[]): string[] {
    const given = words.map((word) => `'${word}'`).join(' ');
    const script = `source ./bash; COMP_WORDS=(${given}); COMP_CWORD=${words.length - 1}; _fettle; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return run('bash', '--norc', '-c', script).split('\n').filter(Boolean);
  },
  fish(words: string[]): string[] {
    const script = `source ./fish; complete -C '${words.join(' ')}'`;
    const lines = run('fish', '--no-config', '-c', script).split('\n').filter(Boolean);
    return lines.map((line) => line.split('\t')[0] ?? '');
  },
};

describe.each(['bash', 'fish'] as const)('%s', (shell) => {
  test.for<[string[], string[]]>([
    [['fettle', 'op'], ['operations']],
    [['fettle', 'secrets', 'dis'], ['disallow']],
    [
      ['fettle', 'run', ''],
      ['debug', 'implement', 'refactor', 'fix', 'ask'],
    ],
    [['fettle', 'run', '--priority', 'h', 'fix', '--no-r'], ['--no-review']],
    [['fettle', 'run', 'fix', '--priority', 'c'], ['critical']],
    [['fettle', 'run', 'fix', 'x', '--model', 'c'], []],
    [['fettle', 'model', 'login', '--service', 'o'], ['openai']],
    [
      ['fettle', 'show', '--diff', ''],
      ['latest', 'op_1'],
    ],
    [['fettle', 'say', 'op_1', ''], []],
    [['fettle', 'show', '--d'], ['--diff']],
    [
      ['fettle', 'completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
  ])('%j offers %j', ([words, offered], { skip }) => {
    if (!findProgram(shell, process.env.PATH ?? '')) skip(`there is no ${shell} on this machine`);
    expect(complete[shell](words).toSorted()).toEqual(offered.toSorted());
  });
});

test.for(['bash', 'zsh', 'fish'])('the script for %s is valid', (shell, { skip }) => {
  if (!findProgram(shell, process.env.PATH ?? '')) skip(`there is no ${shell} on this machine`);
  expect(run(shell, '-n', shell)).toBe('');
});

test('without a server only latest is offered, at once', async () => {
  expect(await runFettle(['completion', 'ids'])).toEqual({ exitCode: 0, stdout: 'latest\n', stderr: '' });
});

test('an unknown shell is wrong usage', async () => {
  const { exitCode, stderr } = await runFettle(['completion', 'csh']);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('bash, zsh, fish')]);
});
