import { once } from 'node:events';
import { chmodSync, lstatSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import type { Log } from '@fettle/log';
import { SettingsError } from '@fettle/settings';
import type { Config } from './config.ts';
import { createDiskWatch } from './disk/watch-disk.ts';
import { checkEngine } from './engine/check-engine.ts';
import { connectEngine } from './engine/connect-engine.ts';
import { createEngineHealth } from './engine/engine-health.ts';
import { createBrokerServer } from './http/server.ts';
import { repeat } from './repeat.ts';
import { collectLeftovers } from './sandboxes/collect-leftovers.ts';
import { type BrokerSandbox, refreshUsage } from './sandboxes/sandbox.ts';
import { createSandboxes } from './sandboxes/sandboxes.ts';
import { openToolVolumes } from './tools/tool-volumes.ts';
import { createTools } from './tools/tools.ts';

const usageIntervalMs = 5_000;
const diskIntervalMs = 1_000;
const finalAnswerMs = 1_000;

/** Creates the parts of the broker and listens. */
export async function startBroker(config: Config, log: Log) {
  const engine = connectEngine(config.engine);
  const { diskQuota, engineFolder } = await checkEngine(engine, config, log);
  const onStarted = (sandbox: BrokerSandbox) => diskWatch.begin(sandbox);
  const volumes = await openToolVolumes({ engine, identity: config.identity, log });
  const tools = createTools({ engine, engineFolder, config, volumes, log });
  const toolsVolume = volumes.current;
  const sandboxes = createSandboxes({ engine, config, diskQuota, engineFolder, toolsVolume, log, onStarted });
  const { server, connections } = createBrokerServer({
    ...{ key: config.key, sandboxes, tools, diskQuota, log },
    findProblem: createEngineHealth({ engine, image: config.images[0] }),
  });
  // Listen first: a second broker with the same address fails here, before it removes anything.
  const url = await listen(server, config.listen);
  const isKnown = (id: string): boolean => sandboxes.find(id) !== undefined || tools.isFilling(id);
  const collect = async () => {
    await collectLeftovers({ engine, identity: config.identity, isKnown, log });
    await volumes.collect();
  };
  const maxDiskBytes = config.limits.diskMb * 1024 ** 2;
  const diskWatch = createDiskWatch({ engine, engineFolder, sandboxes, diskQuota, log, maxDiskBytes });
  const sampleUsage = async () => {
    for (const sandbox of sandboxes.list()) await refreshUsage(sandbox);
  };
  const onError = (error: unknown): void => log.warn({ err: error }, 'a periodic check failed');
  await collect().catch(onError);
  const repeated = [
    repeat(config.collectMs, collect, onError),
    repeat(usageIntervalMs, sampleUsage, onError),
    repeat(diskIntervalMs, diskWatch.check, onError),
  ];
  return {
    url,
    async stop(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      await Promise.all([sandboxes.endAll('broker_stopped'), tools.stop()]);
      // Give callers that waited for a sandbox a moment to read the response.
      server.closeIdleConnections();
      const cut = setTimeout(connections.destroyAll, finalAnswerMs);
      await Promise.all([closed, ...repeated.map((each) => each.stop())]);
      clearTimeout(cut);
    },
  };
}

async function listen(server: Server, place: Config['listen']): Promise<string> {
  if ('path' in place) await removeDeadSocket(place.path);
  server.listen(place);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const name = 'path' in place ? 'FETTLE_BROKER_SOCKET' : 'FETTLE_BROKER_PORT';
    throw new SettingsError(`${name}: cannot listen on it: ${code}`);
  }
  if ('path' in place) {
    chmodSync(place.path, 0o660);
    return `unix://${place.path}`;
  }
  const { port } = server.address() as AddressInfo;
  return `http://${place.host.includes(':') ? `[${place.host}]` : place.host}:${port}`;
}

/** Removes the socket of a killed broker. The socket of a living one is kept, and `listen` then fails. */
async function removeDeadSocket(path: string): Promise<void> {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSocket()) return;
  const socket = connect(path);
  const answers = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  if (!answers) rmSync(path, { force: true });
}
