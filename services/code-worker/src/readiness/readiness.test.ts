import { expect, onTestFinished, test } from 'vitest';
import { type Probe, startReadiness } from './readiness.ts';

test('a change is announced once, each check is reported, and a hanging probe is a problem', async () => {
  const changes: string[][] = [];
  const reports: string[][] = [];
  let broker: Probe = async () => undefined;
  let api: string | undefined;
  const readiness = startReadiness({
    probes: { 'the broker': () => broker(), Redis: async () => undefined },
    async report(problems) {
      reports.push(problems);
      return api;
    },
    onChange: (problems) => changes.push(problems),
    onChecked() {},
    intervalMs: 1_000_000,
    shortIntervalMs: 1_000_000,
    probeTimeoutMs: 50,
  });
  onTestFinished(() => readiness.stop());
  await readiness.check();
  expect({ changes, reports }).toEqual({ changes: [], reports: [[]] });

  const hanging = Promise.withResolvers<undefined>();
  broker = () => hanging.promise;
  await readiness.check();
  hanging.resolve(undefined);
  await new Promise(setImmediate);
  broker = () => Promise.reject(new Error('no route'));
  await readiness.check();
  expect(reports.slice(1)).toEqual([['the broker does not answer'], ['the broker: no route']]);
  expect(changes).toEqual([['the broker does not answer']]);

  broker = async () => undefined;
  api = 'the api does not answer';
  await readiness.check();
  expect(readiness.problems()).toEqual(['the api does not answer']);
  api = undefined;
  await readiness.check();
  expect(changes.slice(1)).toEqual([[]]);
});
