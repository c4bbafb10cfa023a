import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLog } from '@fettle/log';
import { UnavailableError } from '@fettle/settings';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../config.ts';
import { checkEngine } from './check-engine.ts';
import { connectEngine } from './connect-engine.ts';

test('reports an engine that accepts a request and never responds', async () => {
  const server = createServer(() => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const engine = connectEngine(`tcp://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const config = readConfig({ FETTLE_BROKER_KEY: 'a-key-of-16-characters' });
  const log = createLog('test', 'silent', (text) => text);
  const fault = new UnavailableError('DOCKER_HOST: the engine did not answer within 0.2 s');
  await expect(checkEngine(engine, config, log, 200)).rejects.toEqual(fault);
}, 5_000);
