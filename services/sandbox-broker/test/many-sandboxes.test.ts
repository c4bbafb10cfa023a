import { openSandbox, startDockerToolbox } from '@fettle/sandbox';
import { expect, test, vi } from 'vitest';
import { listOnEngine } from '../src/testing/on-engine.ts';
import { openTestSandbox, startTestBroker } from '../src/testing/test-broker.ts';
import { describeWithEngine } from '../src/testing/test-engine.ts';

const bytesPerMb = 1024 * 1024;

describeWithEngine('many sandboxes', () => {
  test('16 independent sandboxes at once', async () => {
    const broker = await startTestBroker();
    const sandboxes = await Promise.all(Array.from({ length: 16 }, () => openTestSandbox(broker)));
    const outputs = await Promise.all(
      sandboxes.map(async (sandbox, index) => {
        await sandbox.writeFile('mine', Buffer.from(`number ${index}`));
        const { output } = await sandbox.run({ command: 'cat mine; ls' });
        return output;
      }),
    );
    expect(outputs).toEqual(outputs.map((_, index) => `number ${index}mine\n`));
  });

  test('25 sandboxes in a row leave nothing on the engine or in the broker', async () => {
    const broker = await startTestBroker();
    async function useOne(): Promise<void> {
      const toolbox = await startDockerToolbox({ broker });
      const sandbox = await openSandbox(toolbox, { backend: 'docker', warning: undefined });
      expect((await sandbox.run({ command: 'setsid sleep 600 & echo done' })).output).toBe('done\n');
      await sandbox.close();
    }
    await useOne();
    const before = { files: broker.openFiles(), memory: broker.memoryBytes() };
    for (let round = 0; round < 25; round++) await useOne();
    expect(await listOnEngine(broker.name)).toEqual({ containers: [], volumes: [] });
    await vi.waitFor(() => expect(broker.openFiles()).toBeLessThanOrEqual(before.files), 10_000);
    expect(broker.memoryBytes() - before.memory).toBeLessThan(60 * bytesPerMb);
  });
});
