/** The broker in a container, with the mounts of docker-compose.yml and without any capability. */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDiskLimit, startDockerToolbox } from '@fettle/sandbox';
import { expect, onTestFinished, test, vi } from 'vitest';
import { defaultImage } from '../src/image/default-image.ts';
import { connectTestEngine, engineAddress, listOnEngine } from '../src/testing/on-engine.ts';
import { clearOnEngine, openTestSandbox, type TestBroker } from '../src/testing/test-broker.ts';
import { describeWithEngine } from '../src/testing/test-engine.ts';

const workspace = join(import.meta.dirname, '../../..');

/** Mounts the workspace instead of building an image, and listens on a socket. */
async function startInContainer(
  settings: Record<string, string>,
): Promise<Pick<TestBroker, 'url' | 'key' | 'name'>> {
  const engine = connectTestEngine();
  const folder = mkdtempSync(join(tmpdir(), 'broker-'));
  chmodSync(folder, 0o755);
  const [name, key] = [`test-${randomBytes(6).toString('hex')}`, randomBytes(16).toString('hex')];
  const environment = {
    ...{ DOCKER_HOST: 'unix:///var/run/docker.sock', FETTLE_LOG_LEVEL: 'error' },
    ...{ FETTLE_BROKER_KEY: key, FETTLE_BROKER_NAME: name, FETTLE_BROKER_SOCKET: `${folder}/socket` },
    ...settings,
  };
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const container = await engine.createContainer({
    Image: defaultImage,
    User: '0:0',
    WorkingDir: workspace,
    Entrypoint: ['node', 'services/sandbox-broker/src/main.ts'],
    Env: Object.entries(environment).map(([variable, value]) => `${variable}=${value}`),
    HostConfig: {
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges'],
      NetworkMode: 'none',
      Binds: [
        `${workspace}:${workspace}:ro`,
        `${folder}:${folder}`,
        `${engineAddress.slice('unix://'.length)}:/var/run/docker.sock`,
      ],
    },
  });
  onTestFinished(async () => {
    await container.stop({ t: 20 }).catch(() => {});
    await container.remove({ force: true });
    expect(await listOnEngine(name)).toEqual({ containers: [], volumes: [] });
    await clearOnEngine(name);
  });
  await container.start();
  const broker = { url: `unix://${folder}/socket`, key, name };
  await vi.waitFor(async () => (await startDockerToolbox({ broker })).stop({ graceMs: 0 }), {
    ...{ timeout: 60_000, interval: 500 },
  });
  return broker;
}

describeWithEngine('a broker in a container', () => {
  test.skipIf(!engineAddress.startsWith('unix://'))(
    'uses the engine’s sizes of volumes, which it cannot read, and says that the limit is soft',
    async () => {
      const broker = await startInContainer({ FETTLE_SANDBOX_DISK_MB: '50' });
      const sandbox = await openTestSandbox(broker);
      const fill = 'sleep 2; for n in 1 2 3; do head -c 30000000 /dev/zero >$n; done; sleep 60';
      const running = sandbox.run({ command: fill });
      running.catch(() => {});
      expect(await readDiskLimit(broker)).toMatch(/^(hard|soft)$/);
      await expect(running).rejects.toThrow('it exceeded its disk limit');
    },
  );
});
