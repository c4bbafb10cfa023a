/** The limits of a command apply to the whole plan, and its end kills everything that it started. */
import { expect, it } from 'vitest';
import { countProcesses, uniqueSleep } from '../src/testing/count-processes.ts';
import { planOf } from '../src/testing/plan-of.ts';
import { sharesHostView } from '../src/testing/test-backend.ts';
import { expectRefusal, startTestSandbox } from '../src/testing/test-sandbox.ts';

it('kills a pipeline at its time limit, including processes in other sessions', {
  timeout: 60_000,
}, async () => {
  const { sandbox } = await startTestSandbox();
  const sleep = uniqueSleep();
  const stubborn = `sh -c 'trap "" TERM ; setsid sh -c "trap \\"\\" TERM ; sleep ${sleep}" & env -i setsid sleep ${sleep} & echo started >&2 ; sleep ${sleep} ; sleep ${sleep}'`;
  const line = `echo first ; ${stubborn} | sh -c 'setsid sleep ${sleep} & cat' | sleep ${sleep} && echo no || echo no ; echo no`;
  const result = await sandbox.run({ plan: planOf(line), timeoutMs: 3000 });
  const stopped = { exitCode: null, signal: 'SIGTERM', timedOut: true, cancelled: false };
  expect(result).toMatchObject({ ...stopped, output: 'first\nstarted\n' });
  expect(countProcesses(sleep)).toBe(0);
});

it('lets the last program exit after SIGTERM', async () => {
  const { sandbox } = await startTestSandbox();
  const polite = `sh -c 'trap "echo bye ; exit 7" TERM ; while : ; do sleep 0.05 ; done'`;
  expect(await sandbox.run({ plan: planOf(`true && ${polite}`), timeoutMs: 1000 })).toMatchObject({
    ...{ exitCode: 7, timedOut: true, output: expect.stringMatching(/bye\n$/) },
  });
  // No program is started after that, however it handles the signal.
  const pleased = polite.replace('exit 7', 'exit 0');
  expect(await sandbox.run({ plan: planOf(`${pleased} && touch no`), timeoutMs: 1000 })).toMatchObject({
    ...{ exitCode: null, signal: 'SIGTERM', timedOut: true },
  });
  await expectRefusal(sandbox.statFile('no'), 'not_found');
});

it('cancels a plan in any step', async () => {
  const { sandbox } = await startTestSandbox();
  const sleep = uniqueSleep();
  const given = new AbortController();
  const result = await sandbox.run({
    plan: planOf(`true && echo begun | cat && sleep ${sleep} | sleep ${sleep} ; echo no`),
    onOutput: () => given.abort(),
    signal: given.signal,
  });
  expect(result).toMatchObject({ signal: 'SIGTERM', cancelled: true, timedOut: false, output: 'begun\n' });
  expect(countProcesses(sleep)).toBe(0);
});

it('limits the output of all steps together', { timeout: 60_000 }, async () => {
  const { sandbox } = await startTestSandbox();
  const line = 'echo head ; yes | head -c 10000000 ; head -c 10000000 /dev/zero | tr \\\\0 x >&2 ; echo tail';
  const result = await sandbox.run({ plan: planOf(line), maxOutputBytes: 1000 });
  expect(result).toMatchObject({ exitCode: 0, omittedBytes: 20_000_010 - 1000 });
  expect(result.output).toMatch(/^head\n(y\n)+\n?\[… 19999010 bytes omitted …\]\nx+tail\n$/);
  let seen = 0;
  await sandbox.run({
    plan: planOf(line),
    onOutput(chunk) {
      seen += chunk.length;
    },
  });
  expect(seen).toBe(20_000_010);
});

it('kills a pipeline whose programs together use too much memory', { timeout: 60_000 }, async () => {
  const { sandbox } = await startTestSandbox();
  const eat = "node -e 'const a = []; setInterval(() => a.push(Buffer.alloc(1e7, 1)), 20)'";
  const result = await sandbox.run({
    plan: planOf(`true ; ${eat} | ${eat} || echo no`),
    memoryBytes: 400 * 1024 ** 2,
  });
  expect(result).toMatchObject({ exitCode: null, outOfMemory: true, timedOut: false, output: '' });
  expect((await sandbox.run({ argv: ['echo', 'alive'] })).output).toBe('alive\n');
});

it('keeps background processes of a step until the end of the plan', { timeout: 60_000 }, async () => {
  const { run } = await startTestSandbox();
  const sleep = uniqueSleep();
  // A process that leaves its session and its environment at once is found only in a pid namespace.
  const lost = sharesHostView ? '' : `env -i setsid sleep ${sleep} &`;
  const leave = `sh -c 'sleep ${sleep} & setsid sleep ${sleep} & ${lost} :'`;
  const serve = "sh -c '(sleep 0.5 ; echo served > answer) &'";
  const look = "sh -c 'while ! test -s answer ; do sleep 0.05 ; done ; cat answer'";
  expect(await run(`echo x | ${leave} ; ${serve} ; ${look}`)).toMatchObject({
    exitCode: 0,
    output: 'served\n',
  });
  expect(countProcesses(sleep)).toBe(0);
});

it("does not kill another plan's processes", { timeout: 60_000 }, async () => {
  const { sandbox, run } = await startTestSandbox();
  const sleep = uniqueSleep();
  const given = new AbortController();
  const result = await sandbox.run({
    plan: planOf(`sh -c 'setsid sleep ${sleep} & echo x ; wait' | cat | cat`),
    async onOutput() {
      await run("sh -c 'sleep 100 &' | true ; yes | head -1");
      expect(countProcesses(sleep)).toBeGreaterThan(0);
      given.abort();
    },
    signal: given.signal,
  });
  expect(result).toMatchObject({ cancelled: true });
  expect(countProcesses(sleep)).toBe(0);
});

it('pauses a pipeline for a slow reader without blocking other requests', { timeout: 60_000 }, async () => {
  const { sandbox, run } = await startTestSandbox();
  const gate = Promise.withResolvers<void>();
  let total = 0;
  const running = sandbox.run({
    plan: planOf('yes | head -c 20000000 && no-such-program ; touch written'),
    async onOutput(chunk) {
      total += chunk.length;
      await gate.promise;
    },
  });
  for (let n = 0; n < 20; n += 1) {
    expect(await run('echo x | cat')).toMatchObject({ output: 'x\n' });
  }
  await expectRefusal(sandbox.statFile('written'), 'not_found');
  gate.resolve();
  expect(await running).toMatchObject({ exitCode: 0 });
  expect(total).toBe(20_000_000 + '"no-such-program": command not found\n'.length);
});
