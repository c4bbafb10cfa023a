import { execFileSync } from 'node:child_process';
import { chown, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { openFolder, openRepository } from '../src/testing/open-folder.ts';
import { runFettle } from '../src/testing/run-fettle.ts';

const home = openFolder();

const exec = (...args: string[]) => runFettle(['sandbox', 'exec', ...args], { FETTLE_HOME: home });
const hasIsolation = (await exec('--', 'true')).exitCode === 0;

async function listSandboxes(): Promise<string[]> {
  return (await readdir(join(home, 'sandboxes'))).filter((name) => name.startsWith('sandbox-'));
}

describe.each(['process', 'bubblewrap'])('on %s', (backend) => {
  const execHere = (...args: string[]) => exec('--backend', backend, ...args);
  const testHere = test.skipIf(backend === 'bubblewrap' && !hasIsolation);

  testHere('passes on the output and the exit code', async () => {
    const { exitCode, stdout } = await execHere('--', 'sh', '-c', 'echo hello; exit 7');
    expect([exitCode, stdout]).toEqual([7, 'hello\n']);
    expect((await execHere('--', 'sh', '-c', 'kill -9 $$')).exitCode).toBe(137);
    expect((await execHere('--', '/no/such/program')).exitCode).toBe(127);
    expect((await execHere('--timeout', '1', '--', 'sleep', '60')).exitCode).toBe(124);
    expect(await listSandboxes()).toEqual([]);
  });

  testHere('removes what a killed command left behind', async () => {
    const killed = execHere('--', 'sh', '-c', 'kill -STOP $PPID; touch stopped; sleep 60');
    const all = () => readdir(join(home, 'sandboxes'), { recursive: true });
    await vi.waitFor(async () => expect((await all()).join()).toContain('/stopped'), 20_000);
    const [name = ''] = await listSandboxes();
    const [, , pid] = name.split('-');
    process.kill(Number(pid), 'SIGKILL');
    await killed.catch(() => {});
    expect(await listSandboxes()).toEqual([name]);
    expect((await execHere('--', 'true')).exitCode).toBe(0);
    expect(await listSandboxes()).toEqual([]);
  });

  testHere('copies a repository into the sandbox', async () => {
    const repository = openRepository({ a: 'content' });
    execFileSync('git', ['-C', repository, 'branch', '-m', 'trunk']);
    const { stdout } = await execHere('--repo', repository, '--json', '--', 'cat', 'a');
    expect(JSON.parse(stdout)).toMatchObject({ backend, exitCode: 0, output: 'content' });
  });
});

test.each(['auto', 'bubblewrap', 'process'])('an unwritable home is named, with %s', async (backend) => {
  const settings = { FETTLE_HOME: '/dev/null/home', FETTLE_SANDBOX: backend };
  const { exitCode, stdout } = await runFettle(['sandbox', 'exec', '--json', '--', 'true'], settings);
  const error = {
    code: 'home_unwritable',
    message: '/dev/null/home cannot be written: part of the path is a file',
    advice: 'Set FETTLE_HOME to a folder that you can write to.',
  };
  expect([exitCode, JSON.parse(stdout)]).toEqual([4, { error }]);
});

test.skipIf(!hasIsolation)('applies the limits of the agent', async () => {
  const grow = 'const all = []; for (;;) all.push(Buffer.alloc(10e6, 1));';
  const settings = { FETTLE_HOME: home, FETTLE_SANDBOX_MEMORY_MB: '256' };
  const args = ['sandbox', 'exec', '--timeout', '60', '--', 'node', '-e', grow];
  expect((await runFettle(args, settings)).exitCode).toBeOneOf([125, 134, 137]);
  const unclear = { FETTLE_HOME: home, FETTLE_SANDBOX_PIDS: 'many' };
  const invalid = await runFettle(['sandbox', 'exec', '--', 'true'], unclear);
  expect([invalid.exitCode, invalid.stderr]).toEqual([2, expect.stringContaining('FETTLE_SANDBOX_PIDS')]);
});

test('wrong usage has another exit code than a program that fails', async () => {
  expect((await exec('--backend', 'nope', '--', 'true')).exitCode).toBe(2);
  expect((await exec('--timeout', '0', '--', 'true')).exitCode).toBe(2);
  expect((await exec()).exitCode).toBe(2);
});

const repositoryAdvice = 'Give the path or the URL of a git repository that you can read.';

test.each([
  ['/nonexistent', '--repo: The folder /nonexistent does not exist.'],
  ['no/such', `--repo: The folder ${resolve('no/such')} does not exist.`],
  ['/usr', '--repo: There is no git repository at this address, or the credentials give no access to it.'],
  ['unheard-of://host/x', '--repo: The address uses a protocol that is not allowed here.'],
])('--repo %s is reported as wrong usage, in one sentence and as one object', async (repository, message) => {
  const args = ['--backend', 'process', '--repo', repository, '--json', '--', 'true'];
  const { exitCode, stdout, stderr } = await exec(...args);
  expect([exitCode, JSON.parse(stdout)]).toEqual([
    2,
    { error: { code: 'repository_not_found', message, advice: repositoryAdvice } },
  ]);
  expect(stderr).toMatch(/^(fettle: .*\n)+ {2}Give .*\n$/);
});

test('an unreachable repository and a missing program are reported with their own exit codes', async () => {
  const repository = ['--repo', 'https://127.0.0.1:1/a.git'];
  const away = await exec('--backend', 'process', ...repository, '--json', '--', 'true');
  expect([away.exitCode, JSON.parse(away.stdout)]).toMatchObject([125, { error: { code: 'unavailable' } }]);
  const absent = await exec('--backend', 'process', '--json', '--', '/no/such/program');
  expect([absent.exitCode, JSON.parse(absent.stdout)]).toEqual([
    127,
    { error: { code: 'not_found', message: expect.any(String), advice: expect.any(String) } },
  ]);
});

test.skipIf(process.getuid?.() !== 0)('a repository of another user is reported', async () => {
  const repository = join(home, 'foreign');
  execFileSync('git', ['init', '-q', repository]);
  for (const path of [repository, join(repository, '.git')]) await chown(path, 65_534, 65_534);
  const { exitCode, stderr } = await exec('--backend', 'process', '--repo', repository, '--', 'true');
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining('fettle: --repo: The repository belongs to another user.'),
  ]);
});
