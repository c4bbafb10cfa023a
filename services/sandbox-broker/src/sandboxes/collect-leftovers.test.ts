import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLog } from '@fettle/log';
import { expect, onTestFinished, test } from 'vitest';
import { connectEngine } from '../engine/connect-engine.ts';
import { collectLeftovers } from './collect-leftovers.ts';
import { labels } from './labels.ts';

const identity = 'test';
const marks = { [labels.sandbox]: 'gone', [labels.broker]: identity };
const answers: Record<string, unknown> = {
  'GET /containers/json': [],
  'GET /volumes': { Volumes: [{ Name: 'left', Labels: marks }] },
};

/** An engine that accepts one kind of request and never responds. */
async function startSilentEngine(silent: string) {
  const server = createServer(({ method, url = '' }, response) => {
    const asked = `${method} ${url.split('?')[0]}`;
    if (asked !== silent) response.end(JSON.stringify(answers[asked] ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return connectEngine(`tcp://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

test.each(['GET /containers/json', 'GET /volumes', 'DELETE /volumes/left'])(
  'a round ends when %s is not answered',
  async (silent) => {
    const engine = await startSilentEngine(silent);
    const log = createLog('test', 'silent', (text) => text);
    const round = collectLeftovers({ engine, identity, isKnown: () => false, log, limitMs: 200 });
    await expect(round.then(String, () => 'failed')).resolves.toBe(
      /^GET/.test(silent) ? 'failed' : 'undefined',
    );
  },
  5_000,
);
