import { readdirSync } from 'node:fs';
import { type Sandbox, startSandbox } from '@fettle/sandbox';
import { expect, test } from 'vitest';
import { openFolder } from '../testing/open-folder.ts';
import { createSandboxReserve } from './sandbox-reserve.ts';

const folder = openFolder();

/** Keeps the automatic refill out of the tests, which would depend on timing. */
const never = { refillAfterMs: 1_000_000 };

/** Starts sandboxes, and collects them. */
function createStarter() {
  const opened: Sandbox[] = [];
  const start = async () => {
    const sandbox = await startSandbox({ backend: 'process', folder });
    opened.push(sandbox);
    return sandbox;
  };
  return { opened, start };
}

test('returns the spare sandbox, and starts a new one if there is none', async () => {
  const { opened, start } = createStarter();
  const reserve = createSandboxReserve(start, never);
  reserve.refill();
  reserve.refill();
  const first = await reserve.take('op-1');
  expect(opened).toHaveLength(1);
  const second = await reserve.take('op-1');
  expect(opened).toHaveLength(2);
  expect((await first.run({ command: 'echo alive' })).output).toBe('alive\n');
  await Promise.all([first.close(), second.close()]);
  await reserve.close();
});

test('a sandbox is labelled with its operation', async () => {
  const calls: string[] = [];
  const start = async ({ operationId = 'none' } = {}) => {
    calls.push(`started for ${operationId}`);
    const sandbox = await startSandbox({ backend: 'process', folder });
    const assign = async (operation: string) => void calls.push(`assigned to ${operation}`);
    return { ...sandbox, assign };
  };
  const reserve = createSandboxReserve(start, never);
  reserve.refill();
  const both = [await reserve.take('op-1'), await reserve.take('op-2')];
  expect(calls).toEqual(['started for none', 'assigned to op-1', 'started for op-2']);
  await Promise.all(both.map((sandbox) => sandbox.close()));
  await reserve.close();
});

test('a sandbox that died while idle is replaced', async () => {
  const { opened, start } = createStarter();
  const reserve = createSandboxReserve(start, never);
  reserve.refill();
  await expect.poll(() => opened.length, { timeout: 20_000 }).toBe(1);
  await opened[0]?.close();
  const taken = await reserve.take('op-1');
  expect(opened).toHaveLength(2);
  await taken.close();
  await reserve.close();
});

test('a sandbox that was idle for long is renewed, because its lifetime is limited', async () => {
  const { opened, start } = createStarter();
  const reserve = createSandboxReserve(start, { ...never, renewAfterMs: 2_000, first: await start() });
  await expect.poll(() => opened.length, { timeout: 20_000 }).toBe(2);
  await expect(opened[0]?.listDirectory('.')).rejects.toMatchObject({ code: 'ended' });
  const taken = await reserve.take('op-1');
  expect((await taken.run({ command: 'echo alive' })).output).toBe('alive\n');
  await taken.close();
  await reserve.close();
});

test('closing removes the spare sandbox', async () => {
  const reserve = createSandboxReserve(createStarter().start, never);
  reserve.refill();
  await reserve.close();
  reserve.refill();
  expect(readdirSync(folder).filter((name) => name.startsWith('sandbox-'))).toEqual([]);
});
