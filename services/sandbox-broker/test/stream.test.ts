import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openTestSandbox, startTestBroker } from '../src/testing/test-broker.ts';
import { describeWithEngine } from '../src/testing/test-engine.ts';

const bytesPerMb = 1024 * 1024;
const total = 200 * bytesPerMb;

describeWithEngine('the stream', () => {
  test('relays 200 MB in each direction without using more memory', async () => {
    const broker = await startTestBroker();
    const sandbox = await openTestSandbox(broker);
    const before = broker.memoryBytes();
    let most = 0;
    let received = 0;
    const onOutput = (chunk: Buffer): void => {
      received += chunk.length;
      most = Math.max(most, broker.memoryBytes());
    };
    await sandbox.run({ command: `head -c ${total} /dev/zero`, onOutput, timeoutMs: 120_000 });
    expect(received).toBe(total);
    const piece = Buffer.alloc(20 * bytesPerMb, 7);
    for (let sent = 0; sent < total; sent += piece.length) {
      await sandbox.writeFile('piece', piece);
      most = Math.max(most, broker.memoryBytes());
    }
    expect((await sandbox.run({ command: 'stat -c %s piece' })).output).toBe(`${piece.length}\n`);
    // Without back-pressure it would hold everything. Node keeps some tens of megabytes of used buffers before it frees them.
    expect(most - before).toBeLessThan(total * 0.75);
  });

  test('waits for a slow reader without blocking others', async () => {
    const broker = await startTestBroker();
    const sandbox = await openTestSandbox(broker);
    let received = 0;
    let go = (): void => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const slow = sandbox.run({
      command: `head -c ${50 * bytesPerMb} /dev/zero`,
      async onOutput(chunk) {
        received += chunk.length;
        await gate;
      },
    });
    await setTimeout(1_000);
    const held = received;
    expect((await sandbox.run({ argv: ['echo', 'meanwhile'] })).output).toBe('meanwhile\n');
    expect(held).toBeLessThan(4 * bytesPerMb);
    go();
    await slow;
    expect(received).toBe(50 * bytesPerMb);
  });
});
