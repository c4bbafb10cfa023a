/** A sandbox that is ended during its start: its container is removed, and its caller gets an error. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sandboxListSchema } from '@fettle/contract';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listOnEngine } from '../src/testing/on-engine.ts';
import { format, sendRaw, statusOf } from '../src/testing/raw-request.ts';
import { startRecordingProxy } from '../src/testing/recording-proxy.ts';
import { startTestBroker, type TestBroker } from '../src/testing/test-broker.ts';
import { describeWithEngine } from '../src/testing/test-engine.ts';

const nothing = { containers: [], volumes: [] };

function ask({ key, ...broker }: TestBroker, method: string, path: string): Promise<string> {
  return sendRaw({ key, ...broker }, format({ method, path, headers: { authorization: `Bearer ${key}` } }));
}

/** Requests a sandbox and never disconnects by itself. */
function callForSandbox({ url, key }: TestBroker) {
  const socket = connect({ path: new URL(url).pathname, allowHalfOpen: true });
  let said = '';
  socket.on('data', (bytes) => {
    said += bytes.toString('latin1');
  });
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  const headers = { authorization: `Bearer ${key}`, connection: 'Upgrade', upgrade: 'fettle-toolbox' };
  socket.write(format({ method: 'POST', path: '/v1/sandboxes', headers }));
  return { said: () => said, ended: once(socket, 'end') };
}

async function listIds(broker: TestBroker): Promise<string[]> {
  const answer = await ask(broker, 'GET', '/v1/sandboxes');
  const { sandboxes } = sandboxListSchema.parse(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))));
  return sandboxes.map(({ id }) => id);
}

describeWithEngine('a sandbox that is being started', () => {
  test('is removed before its end is confirmed, and its caller gets an error', async () => {
    const broker = await startTestBroker();
    const caller = callForSandbox(broker);
    const [id] = await vi.waitUntil(async () => {
      const ids = await listIds(broker);
      return ids.length > 0 && ids;
    }, 10_000);
    expect(caller.said()).toBe('');
    const end = await ask(broker, 'DELETE', `/v1/sandboxes/${id}`);
    expect(end).toContain('"reason":"stopped"');
    expect(await listOnEngine(broker.name)).toEqual(nothing);
    await caller.ended;
    expect(statusOf(caller.said())).toBe(503);
    expect(caller.said()).toContain('ended during its start: it was stopped');
    expect(await listIds(broker)).toEqual([]);
  });

  test('is removed if the engine created it and the response was lost', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'engine-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const isCreate = ({ url = '' }: { url?: string | undefined }) => url.startsWith('/containers/create');
    const { address } = await startRecordingProxy(join(folder, 'engine'), { drops: isCreate });
    const broker = await startTestBroker({ DOCKER_HOST: address });
    const caller = callForSandbox(broker);
    await caller.ended;
    expect(statusOf(caller.said())).toBe(503);
    expect(await listOnEngine(broker.name)).toEqual(nothing);
  });

  test.for([50, 500])('ends with its broker, %d ms after the start', async (waitMs) => {
    const broker = await startTestBroker();
    const callers = Array.from({ length: 3 }, () => callForSandbox(broker));
    await setTimeout(waitMs);
    const before = performance.now();
    await broker.stop('SIGTERM');
    expect(performance.now() - before).toBeLessThan(15_000);
    expect(broker.process.exitCode).toBe(0);
    expect(await listOnEngine(broker.name)).toEqual(nothing);
    for (const caller of callers) await caller.ended;
  });
});
