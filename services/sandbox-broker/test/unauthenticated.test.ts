/** Callers without the key get few resources, for a short time, and never block authenticated callers. */
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { format, sendRaw, statusOf } from '../src/testing/raw-request.ts';
import { startTestBroker, type TestBroker } from '../src/testing/test-broker.ts';
import { describeWithEngine } from '../src/testing/test-engine.ts';

const authorization = 'Bearer not-the-key-of-this-broker';
const upgrade = { authorization, connection: 'Upgrade', upgrade: 'fettle-toolbox' };

/** Connections that this side never closes. */
function hold({ url }: TestBroker, count: number, bytes: string): Socket[] {
  return Array.from({ length: count }, () => {
    const socket = connect({ path: new URL(url).pathname, allowHalfOpen: true });
    socket.on('error', () => {}).resume();
    onTestFinished(() => void socket.destroy());
    socket.write(bytes);
    return socket;
  });
}

async function list(broker: TestBroker): Promise<number> {
  const headers = { authorization: `Bearer ${broker.key}` };
  return statusOf(await sendRaw(broker, format({ method: 'GET', path: '/v1/sandboxes', headers })));
}

describeWithEngine('connections without the key', () => {
  test.for([
    ['a refused start', format({ method: 'POST', path: '/v1/sandboxes', headers: upgrade })],
    ['a refused request', format({ method: 'GET', path: '/', headers: { connection: 'keep-alive' } })],
    ['a body without end', format({ method: 'POST', path: '/', headers: { 'content-length': '99999999' } })],
    ['half a request', 'GET /healthz HTTP/1.1\r\nhost: '],
    ['nothing at all', ''],
  ] as const)('%s, many times: others get in meanwhile, and none of it stays', async ([, bytes]) => {
    const broker = await startTestBroker();
    const before = broker.openFiles();
    for (let round = 0; round < 6; round++) {
      hold(broker, 200, bytes);
      expect(await list(broker)).toBe(200);
    }
    expect(broker.openFiles() - before).toBeLessThan(400);
    await vi.waitFor(() => expect(broker.openFiles()).toBeLessThanOrEqual(before + 2), 15_000);
  });

  test('an authenticated caller has no such limit', async () => {
    const broker = await startTestBroker();
    const headers = { authorization: `Bearer ${broker.key}`, connection: 'keep-alive' };
    const [socket] = hold(broker, 1, format({ method: 'GET', path: '/v1/sandboxes', headers }));
    hold(broker, 300, '');
    expect(await list(broker)).toBe(200);
    expect(socket?.readableEnded).toBe(false);
  });
});
