import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startDockerToolbox } from '@fettle/sandbox';
import { expect, onTestFinished, test, vi } from 'vitest';
import { defaultImage } from '../src/image/default-image.ts';
import { labels } from '../src/sandboxes/labels.ts';
import { readTakenUsers } from '../src/sandboxes/sandbox-users.ts';
import { connectTestEngine, listOnEngine } from '../src/testing/on-engine.ts';
import { clearOnEngine, openTestSandbox, startTestBroker } from '../src/testing/test-broker.ts';
import { describeWithEngine } from '../src/testing/test-engine.ts';

const nothing = { containers: [], volumes: [] };
const soon = { timeout: 60_000, interval: 200 };
const callerProgram = join(import.meta.dirname, '../src/testing/caller-main.ts');

describeWithEngine('kill -9', () => {
  test('of the caller removes its sandbox, whatever runs in it, and no other one', async () => {
    const broker = await startTestBroker();
    const neighbour = await openTestSandbox(broker);
    const caller = spawn(process.execPath, [callerProgram, broker.url], {
      env: { ...process.env, FETTLE_BROKER_KEY: broker.key },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(createInterface(caller.stdout), 'line');
    expect((await listOnEngine(broker.name)).containers).toHaveLength(2);
    caller.kill('SIGKILL');
    await vi.waitFor(async () => expect((await listOnEngine(broker.name)).containers).toHaveLength(1), soon);
    expect((await neighbour.run({ argv: ['echo', 'alive'] })).output).toBe('alive\n');
  });

  test('of the broker ends the streams; its next start removes its own sandboxes and no others', async () => {
    const broker = await startTestBroker();
    const other = await startTestBroker();
    const foreign = await openTestSandbox(other);
    const sandbox = await openTestSandbox(broker);
    // Ignores the end of its input.
    const running = sandbox
      .run({ command: 'trap "" TERM HUP; sleep 600' })
      .catch((error: Error) => error.message);
    await broker.stop('SIGKILL');
    expect(await running).toContain('the sandbox broker went away');
    expect((await listOnEngine(broker.name)).containers).toHaveLength(1);
    await broker.restart();
    expect(await listOnEngine(broker.name)).toEqual(nothing);
    expect((await foreign.run({ argv: ['echo', 'alive'] })).output).toBe('alive\n');
  });

  test('of the toolbox ends its sandbox', async () => {
    const broker = await startTestBroker();
    const sandbox = await openTestSandbox(broker);
    await expect(sandbox.run({ command: 'kill -9 $PPID' })).rejects.toThrow('the toolbox ended with 137');
    await vi.waitFor(async () => expect(await listOnEngine(broker.name)).toEqual(nothing), soon);
  });
});

describeWithEngine('leftovers', () => {
  test('keep their uids, as do sandboxes of other brokers', async () => {
    const [broker, other] = [await startTestBroker(), await startTestBroker()];
    const whoIs = async (from: typeof broker) =>
      Number((await (await openTestSandbox(from)).run({ argv: ['id', '-u'] })).output);
    const users = [await whoIs(broker), await whoIs(other)];
    await broker.stop('SIGKILL');
    expect(await readTakenUsers(connectTestEngine())).toEqual(expect.arrayContaining(users));
    await broker.restart();
  });

  test('of other brokers are removed only long after they have expired', async () => {
    const engine = connectTestEngine();
    const names = ['up', 'not-up'].map((each) => `test-other-${each}-${process.pid}`);
    const now = Math.floor(Date.now() / 1000);
    for (const [index, name] of names.entries()) {
      const marks = {
        [labels.sandbox]: name,
        [labels.broker]: name,
        [labels.expires]: `${now - 600 + index * 1200}`,
      };
      await engine.createContainer({ Image: defaultImage, Labels: marks });
      await engine.createVolume({ Driver: 'local', Labels: marks });
    }
    onTestFinished(() => clearOnEngine(names[1] ?? ''));
    await startTestBroker();
    expect(await listOnEngine(names[0] ?? '')).toEqual(nothing);
    expect(await listOnEngine(names[1] ?? '')).toMatchObject({ containers: [expect.any(String)] });
  });
});

describeWithEngine('a leftover that appears while a broker runs', () => {
  test('is removed in the next round', async () => {
    const broker = await startTestBroker({ FETTLE_COLLECT_SECONDS: '1' });
    const marks = { [labels.sandbox]: 'stray', [labels.broker]: broker.name };
    await connectTestEngine().createContainer({ Image: defaultImage, Labels: marks });
    await vi.waitFor(async () => expect(await listOnEngine(broker.name)).toEqual(nothing), soon);
  });
});

describeWithEngine('brokers with the same name', () => {
  test('keep each other’s sandboxes, and remove those of one that was killed', async () => {
    const one = await startTestBroker();
    const sandbox = await openTestSandbox(one);
    const other = await startTestBroker({ FETTLE_BROKER_NAME: one.name });
    expect((await sandbox.run({ argv: ['echo', 'alive'] })).output).toBe('alive\n');
    await one.stop('SIGKILL');
    expect((await listOnEngine(one.name)).containers).toHaveLength(1);
    await other.stop();
    await other.restart();
    expect(await listOnEngine(one.name)).toEqual(nothing);
  });
});

describeWithEngine('a clean stop', () => {
  test('of the broker leaves no sandbox', async () => {
    const broker = await startTestBroker();
    const toolbox = await startDockerToolbox({ broker });
    const ended = once(toolbox.output.resume(), 'end');
    await broker.stop('SIGTERM');
    await ended;
    expect(await listOnEngine(broker.name)).toEqual(nothing);
    await toolbox.stop({ graceMs: 0 }).catch(() => {});
  });

  test('a caller that disconnects during the start leaves no sandbox', async () => {
    const broker = await startTestBroker();
    for (const waitMs of [0, 20, 60, 120, 250]) {
      const caller = spawn(process.execPath, [callerProgram, broker.url, 'leave', String(waitMs)], {
        env: { ...process.env, FETTLE_BROKER_KEY: broker.key },
        stdio: 'inherit',
      });
      await once(caller, 'exit');
    }
    await vi.waitFor(async () => expect(await listOnEngine(broker.name)).toEqual(nothing), soon);
  });
});
