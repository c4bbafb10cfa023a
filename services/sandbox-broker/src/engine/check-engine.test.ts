import { createLog } from '@fettle/log';
import { UnavailableError } from '@fettle/settings';
import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { startHttpEngine } from '../testing/start-http-engine.ts';
import { checkEngine } from './check-engine.ts';

test('reports an engine that accepts a request and never responds', async () => {
  const engine = await startHttpEngine(() => {});
  const config = readConfig({ FETTLE_BROKER_KEY: 'a-key-of-16-characters' });
  const log = createLog('test', 'silent', (text) => text);
  const fault = new UnavailableError('DOCKER_HOST: the engine did not answer within 0.2 s');
  await expect(checkEngine(engine, config, log, 200)).rejects.toEqual(fault);
}, 5_000);
