/** What a command may use, and what programs that start workers see of it. */
import { availableParallelism } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { canLimitByCgroup } from '../../src/backends/bubblewrap/cgroup.ts';
import { defaultSandboxLimits, type SandboxLimits } from '../../src/backends/limits.ts';
import { startSandbox } from '../../src/start-sandbox.ts';
import { makeTemporaryFolder } from '../../src/testing/test-sandbox.ts';

const hasCgroup = await canLimitByCgroup();
const megabyte = 1024 ** 2;

async function start(limits: Partial<SandboxLimits> = {}) {
  const sandbox = await startSandbox({
    backend: 'bubblewrap',
    folder: makeTemporaryFolder(),
    limits: { ...defaultSandboxLimits, ...limits },
  });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

test('a command that needs more memory than the sandbox has is reported, and the next one runs', async () => {
  const sandbox = await start({ memoryBytes: 1024 * megabyte });
  const hog = "node -e 'const all = []; for (;;) all.push(Buffer.alloc(1e7, 1))'";
  for (const command of [hog, `${hog} | cat; exit 3`, `(${hog}); echo "$?" >&2; false`]) {
    const result = await sandbox.run({ command });
    expect([command, result.outOfMemory, result.timedOut]).toEqual([command, true, false]);
  }
  const other = await sandbox.run({ command: 'echo alive; false' });
  expect(other).toMatchObject({ output: 'alive\n', exitCode: 1, outOfMemory: false });
});

test('one command may use nearly all of the memory, and Node knows how much that is', async () => {
  const sandbox = await start({ memoryBytes: 1024 * megabyte });
  const use = 'const all = Buffer.alloc(800 * 2 ** 20, 1); console.log(all.length / 2 ** 20)';
  expect(await sandbox.run({ argv: ['node', '-e', use] })).toMatchObject({ output: '800\n', exitCode: 0 });
  const heap = 'console.log(require("v8").getHeapStatistics().heap_size_limit / 2 ** 20)';
  const { output } = await sandbox.run({ argv: ['node', '-e', heap] });
  expect(Number(output)).toBeGreaterThan(700);
  expect(Number(output)).toBeLessThan(1024);
});

test('pages that workers share after a fork count once', async () => {
  const sandbox = await start({ memoryBytes: 1024 * megabyte });
  const script = `my $all = "x" x (300 << 20); for (1..6) { next if fork; select(undef, undef, undef, 3); exit }
    1 while wait > 0; print "done\\n"`;
  const result = await sandbox.run({ command: `perl -e '${script}'`, memoryBytes: 1024 * megabyte });
  expect(result).toMatchObject({ output: 'done\n', outOfMemory: false });
});

test.skipIf(!hasCgroup)('programs see as many CPUs as the sandbox may use', async () => {
  const ask = "node -p 'os.availableParallelism()'; nproc";
  expect((await (await start({ cpus: 1 })).run({ command: ask })).output).toBe('1\n1\n');
  const all = availableParallelism();
  expect((await (await start({ cpus: all + 1 })).run({ command: ask })).output).toBe(`${all}\n${all}\n`);
});
