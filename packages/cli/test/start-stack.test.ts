import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { readServerFile } from '../src/stack/server-file.ts';
import { type StackOptions, startStack } from '../src/stack/start-stack.ts';
import { openFolder } from '../src/testing/open-folder.ts';
import { processesWith } from '../src/testing/processes.ts';
import { startFettle } from '../src/testing/run-fettle.ts';

let home: string;
beforeEach(() => {
  home = openFolder();
});

const engine = process.env.FETTLE_TEST_ENGINE;
const modelNowhere = { ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' };

function start(options: Partial<StackOptions> = {}) {
  return startStack({
    config: readConfig({ ...process.env, FETTLE_HOME: home }),
    home,
    port: 0,
    children: ['api', 'worker'],
    whenChildExits: 'fail',
    workerSettings: modelNowhere,
    signal: new AbortController().signal,
    ...options,
  });
}

async function until(done: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await done())) await sleep(50);
}

function killChild(service: string): void {
  const ours = processesWith(home);
  const child = processesWith(`services/${service}/src/main.ts`).find((pid) => ours.includes(pid));
  process.kill(child ?? expect.fail(`no ${service} runs`), 'SIGKILL');
}

test('stopping removes processes, socket and files', async () => {
  const stack = await start();
  expect((await fetch(new URL('/healthz', stack.url))).status).toBe(200);
  expect(readServerFile(home)).toMatchObject({ pid: process.pid, url: stack.url, embedded: true });
  expect(existsSync(join(home, 'redis', 'redis.sock'))).toBe(true);
  expect(processesWith(home).length).toBeGreaterThanOrEqual(3);
  await expect(start()).rejects.toMatchObject({ code: 'home_in_use', exitCode: 4 });

  await stack.stop();
  await stack.stop();
  await until(() => processesWith(home).length === 0);
  expect(readServerFile(home)).toBeUndefined();
  expect(existsSync(join(home, 'redis', 'redis.sock'))).toBe(false);
  expect(existsSync(join(home, 'run', 'owner.json'))).toBe(false);
});

test('a child that cannot start is named with the end of its log, and nothing is left', async () => {
  const workerSettings = { ...modelNowhere, FETTLE_CONCURRENCY: 'many' };
  const failure = start({ workerSettings });
  await expect(failure).rejects.toMatchObject({ code: 'service_failed', exitCode: 4 });
  await expect(failure).rejects.toThrow(/the worker exited \(exit code 2\)[\s\S]*FETTLE_CONCURRENCY/);
  await until(() => processesWith(home).length === 0);
});

test('without an engine the worker reports its sandbox, and why not the stronger one', async () => {
  const config = readConfig({ ...process.env, FETTLE_HOME: home, DOCKER_HOST: 'unix:///nowhere.sock' });
  const sandboxes: string[] = [];
  const stopped = start({ config, onSandbox: (sandbox) => sandboxes.push(sandbox) }).then((stack) =>
    stack.stop(),
  );
  // Without bubblewrap the worker reports that and exits.
  const started = await stopped.then(
    () => true,
    () => false,
  );
  const why = 'bubblewrap (not docker: no container engine answers at /nowhere.sock (ENOENT))';
  expect(sandboxes).toEqual(started ? [why] : []);
  const log = readFileSync(join(home, 'logs', 'worker.log'), 'utf8');
  expect(log).toContain('no container engine answers at /nowhere.sock (ENOENT)');
});

test.skipIf(engine === undefined)('an invalid setting of the broker fails the start', async () => {
  const settings = { DOCKER_HOST: engine, FETTLE_SANDBOX_RUNTIME: 'unheard-of' };
  const failure = start({ config: readConfig({ ...process.env, FETTLE_HOME: home, ...settings }) });
  await expect(failure).rejects.toMatchObject({ code: 'usage', exitCode: 2 });
  await expect(failure).rejects.toThrow(/^FETTLE_SANDBOX_RUNTIME: the engine does not know this runtime/);
  await until(() => processesWith(home).length === 0);
});

test('the exit of a child ends a stack that does not restart', async () => {
  const stack = await start();
  killChild('code-worker');
  expect((await stack.failed).message).toContain('the worker exited (SIGKILL)');
  await stack.stop();
});

test('after kill -9 of the command the next one takes over, and no process is left', async () => {
  const settings = { FETTLE_HOME: home, ...modelNowhere };
  const { child, finished } = startFettle(['up', '--port', '0'], settings);
  await until(() => readServerFile(home) !== undefined);
  child.kill('SIGKILL');
  await finished;
  const stack = await start({ children: ['api'] });
  await stack.stop();
  await until(() => processesWith(home).length === 0);
});

test('a server restarts a child that exited', async () => {
  const exits: { message: string | undefined; pauseMs: number | undefined }[] = [];
  const stack = await start({
    whenChildExits: 'restart',
    children: ['api'],
    onChildExit: ({ message }, pauseMs) => exits.push({ message: message.split('\n')[0], pauseMs }),
  });
  killChild('api');
  await until(() => exits.length > 0);
  await until(() =>
    fetch(stack.url).then(
      () => true,
      () => false,
    ),
  );
  expect(exits).toEqual([{ message: 'the api exited (SIGKILL)', pauseMs: expect.any(Number) }]);
  expect(exits[0]?.pauseMs).toBeLessThanOrEqual(500);
  await stack.stop();
});
