import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sendChunks } from './send.ts';

test('waits for a client that does not read, and stops when it disconnects', async () => {
  let made = 0;
  function* flood(): Generator<string> {
    for (;;) {
      made += 1;
      yield 'x'.repeat(64 * 1024);
    }
  }
  const left = Promise.withResolvers<unknown>();
  const server = createServer((_, response) => {
    const leaving = new AbortController();
    response.once('close', () => leaving.abort());
    sendChunks({ response, requestId: 'r', gone: leaving.signal }, flood()).catch(left.resolve);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');

  await expect.poll(() => made, { timeout: 5_000 }).toBeGreaterThan(1);
  await setTimeout(300);
  const afterFilling = made;
  await setTimeout(200);
  expect(made).toBe(afterFilling);

  client.destroy();
  expect(await left.promise).toMatchObject({ name: 'AbortError' });
  server.close();
});
