import { createLog } from '@fettle/log';
import { expect, test } from 'vitest';
import { startHttpEngine } from '../testing/start-http-engine.ts';
import { collectLeftovers } from './collect-leftovers.ts';
import { labels } from './labels.ts';

const identity = 'test';
const marks = { [labels.sandbox]: 'gone', [labels.broker]: identity };
const answers: Record<string, unknown> = {
  'GET /containers/json': [],
  'GET /volumes': { Volumes: [{ Name: 'left', Labels: marks }] },
};

/** An engine that accepts one kind of request and never responds. */
const startSilentEngine = (silent: string) =>
  startHttpEngine(({ method, url = '' }, response) => {
    const asked = `${method} ${url.split('?')[0]}`;
    if (asked !== silent) response.end(JSON.stringify(answers[asked] ?? {}));
  });

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
