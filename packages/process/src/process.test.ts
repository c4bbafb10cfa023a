import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endWithParentPreload, runProgram, startProgram } from './index.ts';
import { readOutputSync } from './read-output-sync.ts';

const environment = { PATH: '/usr/local/bin:/usr/bin:/bin' };
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fettle-process-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a program that fails is a result, not an exception', async () => {
  const script = 'echo out; echo err >&2; exit 3';
  expect(await runProgram(['sh', '-c', script], { environment })).toEqual({
    exitCode: 3,
    signal: undefined,
    stopped: undefined,
    error: undefined,
    stdout: Buffer.from('out\n'),
    stderr: 'err\n',
  });
});

test('a short program can run synchronously', () => {
  expect(readOutputSync(['sh', '-c', 'echo $ONE'], { environment: { ...environment, ONE: '1' } })).toBe(
    '1\n',
  );
  expect(readOutputSync(['false'], { environment })).toBeUndefined();
  expect(readOutputSync(['no-such-program'], { environment })).toBeUndefined();
});

test('a program gets exactly the environment that it is given', async () => {
  const { stdout } = await runProgram(['/usr/bin/env'], { environment: { ONE: '1' } });
  expect(stdout.toString()).toBe('ONE=1\n');
});

test('input reaches the program, and a program that does not read it can still exit', async () => {
  const input = 'x'.repeat(5_000_000);
  const read = await runProgram(['wc', '-c'], { environment, input });
  expect(read.stdout.toString().trim()).toBe('5000000');
  expect(await runProgram(['true'], { environment, input })).toMatchObject({
    exitCode: 0,
    stopped: undefined,
  });
});

test('output beyond the limit stops the program', async () => {
  const result = await runProgram(['yes'], { environment, maxBytes: 1_000 });
  expect(result).toMatchObject({ stopped: 'too_large', exitCode: undefined });
  expect(result.stdout).toHaveLength(1_000);
});

test('a missing program is reported as such, with or without a watcher', async () => {
  expect(await runProgram(['no-such-program'], { environment })).toMatchObject({ stopped: 'not_found' });
  const watched = await runProgram(['no-such-program'], { environment, endsWithParent: true });
  expect(watched).toMatchObject({ exitCode: 127, stopped: undefined });
});

test('a time limit ends the whole group, including children that ignore SIGTERM', async () => {
  const script = 'sh -c "trap \'\' TERM; echo $$; sleep 60 & wait; sleep 60"';
  const result = await runProgram(['sh', '-c', script], { environment, timeoutMs: 300, graceMs: 100 });
  expect(result.stopped).toBe('timeout');
  await expectGone(Number(result.stdout.toString()));
});

test('an abort is reported as cancelled', async () => {
  const signal = AbortSignal.timeout(200);
  expect(await runProgram(['sleep', '60'], { environment, signal })).toMatchObject({ stopped: 'cancelled' });
  expect(await runProgram(['sleep', '60'], { environment, signal })).toMatchObject({ stopped: 'cancelled' });
});

test('a program without a grace period is killed at once', async () => {
  const program = startProgram(['sh', '-c', "trap '' TERM; echo ready; sleep 60"], {
    environment,
    graceMs: 0,
  });
  await once(program.stdout as NodeJS.ReadableStream, 'data');
  expect(await program.stop()).toMatchObject({ signal: 'SIGKILL', stopped: 'stopped' });
});

test('a watched program keeps its process id and exit code', async () => {
  const program = startProgram(['sh', '-c', 'echo $$; exit 7'], { environment, endsWithParent: true });
  const said = await text(program.stdout as NodeJS.ReadableStream);
  expect(Number(said)).toBe(program.pid);
  expect(await program.exited).toMatchObject({ exitCode: 7, stopped: undefined });
});

test.each(['watcher', 'preload'])('a program ends when its parent is killed (%s)', async (how) => {
  const pidFile = join(folder, how);
  const main = `import { writeFileSync } from 'node:fs';
    import { startProgram } from ${JSON.stringify(join(import.meta.dirname, 'index.ts'))};
    const options = {
      environment: { PATH: process.env.PATH }, stdin: 'pipe', endsWithParent: ${how === 'watcher'}, graceMs: 60_000,
    };
    const argv = ${
      how === 'watcher'
        ? "['sleep', '60']"
        : `[process.execPath, '--import', ${JSON.stringify(endWithParentPreload)}, '-e', 'setInterval(() => {}, 1e6)']`
    };
    writeFileSync(${JSON.stringify(pidFile)}, String(startProgram(argv, options).pid));`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', main], { stdio: 'inherit' });
  while (parent.exitCode === null && (!existsSync(pidFile) || readFileSync(pidFile, 'utf8') === ''))
    await sleep(20);
  const pid = Number(readFileSync(pidFile, 'utf8'));
  process.kill(pid, 0);
  const watchers = listGroup(pid).filter((member) => member !== pid);
  expect(watchers).toHaveLength(how === 'watcher' ? 1 : 0);
  parent.kill('SIGKILL');
  // The watcher does not wait for the rest of the grace period.
  for (const member of [pid, ...watchers]) await expectGone(member);
});

function listGroup(leader: number): number[] {
  const pids = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  return pids.filter((pid) => {
    try {
      const [, , group] = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ');
      return Number(group) === leader;
    } catch {
      return false;
    }
  });
}

test('a running program does not disturb the signal handlers of its parent', async () => {
  const main = `import { startProgram } from ${JSON.stringify(join(import.meta.dirname, 'index.ts'))};
    process.once('SIGTERM', async () => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await program.stop();
      process.exit(7);
    });
    const program = startProgram(['sleep', '60'], { environment: { PATH: process.env.PATH } });
    console.log('ready');`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', main], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(parent.stdout, 'data');
  parent.kill('SIGTERM');
  expect(await once(parent, 'exit')).toEqual([7, null]);
});

/** A zombie that its reaper has not collected yet has ended as well. */
async function expectGone(pid: number): Promise<void> {
  const isRunning = () => {
    try {
      return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      return false;
    }
  };
  for (let tries = 0; tries < 200 && isRunning(); tries++) await sleep(50);
  expect(isRunning()).toBe(false);
}
