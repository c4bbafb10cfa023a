import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { countProcesses, uniqueSleep } from '../src/testing/count-processes.ts';
import { sharesHostView } from '../src/testing/test-backend.ts';
import { ended, expectRefusal, startTestSandbox } from '../src/testing/test-sandbox.ts';

it('runs a shell command or a program and reports how it ended', async () => {
  const { sandbox } = await startTestSandbox();
  expect(await sandbox.run({ command: 'echo one; exit 3' })).toEqual({
    ...{ ...ended, exitCode: 3, output: 'one\n' },
    ...{ durationMs: expect.any(Number), programMs: expect.any(Number) },
  });
  expect(await sandbox.run({ argv: ['printf', '%s|', 'a b', '$HOME', '*'] })).toMatchObject({
    output: 'a b|$HOME|*|',
  });
  expect(await sandbox.run({ command: 'kill -9 $$' })).toMatchObject({
    ...{ exitCode: null, signal: 'SIGKILL', timedOut: false },
  });
  await expectRefusal(sandbox.run({ argv: ['no-such-program'] }), 'not_found', /no-such-program/);
  await expectRefusal(sandbox.run({ argv: [] }), 'bad_request');
  await expectRefusal(sandbox.run({}), 'bad_request');
});

it('returns interleaved output of a pipe that can be reopened', async () => {
  const { sandbox } = await startTestSandbox();
  const command =
    'for i in 1 2 3; do echo out $i; echo err $i >&2; done; echo again > /dev/stderr; echo last > /dev/stdout';
  const lines = ['out 1', 'err 1', 'out 2', 'err 2', 'out 3', 'err 3', 'again', 'last', ''];
  expect(await sandbox.run({ command })).toMatchObject({ ...ended, output: lines.join('\n') });
  expect(await sandbox.run({ command: 'cat; test -t 0 || echo no terminal' })).toMatchObject({
    output: 'no terminal\n',
  });
});

it.runIf(sharesHostView)('builds the environment from scratch', async () => {
  const { sandbox, workspace } = await startTestSandbox({ searchPath: '/usr/bin:/bin' });
  const folder = workspace.replace(/workspace$/, '');
  const { output } = await sandbox.run({ argv: ['env'], env: { EXTRA: 'a b', CI: 'no' } });
  const lines = output.trim().split('\n');
  expect(Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)))).toEqual({
    PATH: '/usr/bin:/bin',
    HOME: `${folder}home`,
    TMPDIR: `${folder}tmp`,
    LANG: 'C.UTF-8',
    CI: 'no',
    XDG_CACHE_HOME: `${folder}home/.cache`,
    TERM: 'dumb',
    NO_COLOR: '1',
    GIT_TERMINAL_PROMPT: '0',
    npm_config_update_notifier: 'false',
    npm_config_fund: 'false',
    npm_config_audit: 'false',
    EXTRA: 'a b',
    FETTLE_COMMAND: expect.any(String),
  });
  await expectRefusal(sandbox.run({ argv: ['env'], env: { 'A=B': '' } }), 'bad_request');
});

it.runIf(sharesHostView)('runs only in folders of the workspace', async () => {
  const { sandbox, workspace } = await startTestSandbox();
  await sandbox.writeFile('sub/a', Buffer.from(''));
  expect(await sandbox.run({ argv: ['pwd'], cwd: 'sub' })).toMatchObject({ output: `${workspace}/sub\n` });
  await expectRefusal(sandbox.run({ argv: ['pwd'], cwd: '..' }), 'outside');
  await expectRefusal(sandbox.run({ argv: ['pwd'], cwd: 'absent' }), 'not_found');
  await expectRefusal(sandbox.run({ argv: ['pwd'], cwd: 'sub/a' }), 'not_directory');
});

it.runIf(sharesHostView).each([false, true])(
  'keeps head and tail of 50 MB in flat memory, live: %s',
  { timeout: 60_000 },
  async (live) => {
    const { sandbox } = await startTestSandbox();
    const toolboxPid = Number((await sandbox.run({ command: 'echo $PPID' })).output);
    const before = peakMemoryBytes(toolboxPid);
    let seen = 0;
    const result = await sandbox.run({
      command: 'echo head; head -c 50000000 /dev/zero | tr "\\0" x; echo; echo tail',
      maxOutputBytes: 1000,
      ...(live && {
        onOutput(chunk: Buffer) {
          seen += chunk.length;
        },
      }),
    });
    expect(result).toMatchObject({ exitCode: 0, omittedBytes: 50_000_000 + 11 - 1000 });
    expect(result.output).toMatch(/^head\nx+\n\[… 49999011 bytes omitted …\]\nx+\ntail\n$/);
    expect(seen).toBe(live ? 50_000_011 : 0);
    expect(peakMemoryBytes(toolboxPid) - before).toBeLessThan(40_000_000);
  },
);

function peakMemoryBytes(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

it('sends live output while the command runs, and waits for a slow reader', {
  timeout: 30_000,
}, async () => {
  const { sandbox } = await startTestSandbox();
  const pieces: string[] = [];
  await sandbox.run({
    command: 'echo first; while [ ! -e go ]; do sleep 0.02; done; echo second',
    async onOutput(chunk) {
      pieces.push(chunk.toString());
      if (pieces.length === 1) await sandbox.writeFile('go', Buffer.from(''));
    },
  });
  expect(pieces).toEqual(['first\n', 'second\n']);
  // The reader waits, so the command cannot finish writing. Other requests continue.
  const gate = Promise.withResolvers<void>();
  let total = 0;
  const running = sandbox.run({
    command: 'head -c 20000000 /dev/zero; touch written',
    async onOutput(chunk) {
      total += chunk.length;
      await gate.promise;
    },
  });
  await setTimeout(300);
  await expectRefusal(sandbox.statFile('written'), 'not_found');
  gate.resolve();
  expect(await running).toMatchObject({ exitCode: 0 });
  expect(total).toBe(20_000_000);
});

it('kills a command at its time limit, with all its processes', { timeout: 30_000 }, async () => {
  const { sandbox } = await startTestSandbox();
  const sleep = uniqueSleep();
  const stubborn = `trap "" TERM; setsid sh -c 'trap "" TERM; sleep ${sleep}' & env -i setsid sleep ${sleep} & echo started; sleep ${sleep}; sleep ${sleep}`;
  const result = await sandbox.run({ command: stubborn, timeoutMs: 500 });
  const killed = { exitCode: null, signal: 'SIGKILL', timedOut: true, cancelled: false };
  expect(result).toMatchObject({ ...killed, output: 'started\n' });
  expect(countProcesses(sleep)).toBe(0);
});

it('lets a command exit after SIGTERM', async () => {
  const { sandbox } = await startTestSandbox();
  const command = 'trap "echo bye; exit 7" TERM; while :; do sleep 0.05; done';
  expect(await sandbox.run({ command, timeoutMs: 300 })).toMatchObject({
    ...{ exitCode: 7, timedOut: true, output: expect.stringMatching(/bye\n$/) },
  });
});

it('cancels a command', async () => {
  const { sandbox } = await startTestSandbox();
  const sleep = uniqueSleep();
  const given = new AbortController();
  const result = await sandbox.run({
    command: `echo begun; sleep ${sleep}`,
    onOutput: () => given.abort(),
    signal: given.signal,
  });
  expect(result).toMatchObject({ signal: 'SIGTERM', cancelled: true, timedOut: false, output: 'begun\n' });
  expect(countProcesses(sleep)).toBe(0);
  await expectRefusal(sandbox.run({ command: 'true', signal: given.signal }), 'cancelled');
});

it('kills background processes', { timeout: 30_000 }, async () => {
  const { sandbox } = await startTestSandbox();
  const sleep = uniqueSleep();
  const background = `sleep ${sleep} & setsid sleep ${sleep} & (setsid sh -c "sleep ${sleep} & sleep ${sleep}" &) ; nohup sleep ${sleep} >/dev/null 2>&1 & echo done`;
  expect(await sandbox.run({ command: background })).toMatchObject({ ...ended, output: 'done\n' });
  expect(countProcesses(sleep)).toBe(0);
});

it("does not kill another command's processes", { timeout: 30_000 }, async () => {
  const { sandbox } = await startTestSandbox();
  const sleep = uniqueSleep();
  const given = new AbortController();
  const result = await sandbox.run({
    command: `setsid sleep ${sleep} & echo x; wait`,
    async onOutput() {
      await sandbox.run({ command: 'sleep 100 &' });
      expect(countProcesses(sleep)).toBeGreaterThan(0);
      given.abort();
    },
    signal: given.signal,
  });
  expect(result).toMatchObject({ cancelled: true });
  expect(countProcesses(sleep)).toBe(0);
});

it('kills a command whose processes together use too much memory', async () => {
  const { sandbox } = await startTestSandbox();
  const eat = "node -e 'const a = []; setInterval(() => a.push(Buffer.alloc(1e7, 1)), 20)'";
  const result = await sandbox.run({ command: `${eat} & ${eat}; wait`, memoryBytes: 400 * 1024 ** 2 });
  expect(result).toMatchObject({ outOfMemory: true, timedOut: false });
  expect((await sandbox.run({ argv: ['echo', 'alive'] })).output).toBe('alive\n');
});

it.runIf(!sharesHostView)('kills processes that left their command in every possible way', async () => {
  const { sandbox } = await startTestSandbox();
  const sleep = uniqueSleep();
  const quick = `(setsid env -i setsid sleep ${sleep} </dev/null >/dev/null 2>&1 &)`;
  await sandbox.run({ command: Array.from({ length: 20 }, () => quick).join('\n') });
  expect(countProcesses(sleep)).toBe(0);
});
