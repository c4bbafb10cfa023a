import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '@fettle/sandbox';
import { afterEach, expect, test } from 'vitest';
import { createSandboxReserve } from './sandbox-reserve.ts';

const folder = mkdtempSync(join(tmpdir(), 'reserve-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** So that no test depends on how quickly it runs. */
const never = { refillAfterMs: 1_000_000 };

function reserveThatCounts() {
  let starts = 0;
  const start = () => {
    starts++;
    return startSandbox({ backend: 'process', folder });
  };
  const reserve = createSandboxReserve(start, never);
  return { reserve, starts: () => starts };
}

test('hands out the one that waits, and starts one when none does', async () => {
  const { reserve, starts } = reserveThatCounts();
  reserve.refill();
  reserve.refill();
  const first = await reserve.take();
  expect(starts()).toBe(1);
  const second = await reserve.take();
  expect(starts()).toBe(2);
  expect((await first.run({ command: 'echo alive' })).output).toBe('alive\n');
  await Promise.all([first.close(), second.close()]);
  await reserve.close();
});

test('one that died while it waited is replaced', async () => {
  const opened: Awaited<ReturnType<typeof startSandbox>>[] = [];
  const reserve = createSandboxReserve(async () => {
    const sandbox = await startSandbox({ backend: 'process', folder });
    opened.push(sandbox);
    return sandbox;
  }, never);
  reserve.refill();
  await expect.poll(() => opened.length, { timeout: 20_000 }).toBe(1);
  await opened[0]?.close();
  const taken = await reserve.take();
  expect(opened).toHaveLength(2);
  await taken.close();
  await reserve.close();
});

test('closing leaves nothing behind', async () => {
  const { reserve } = reserveThatCounts();
  reserve.refill();
  await reserve.close();
  reserve.refill();
  expect(readdirSync(folder).filter((name) => name.startsWith('sandbox-'))).toEqual([]);
});
