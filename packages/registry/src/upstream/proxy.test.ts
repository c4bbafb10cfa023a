/** Downloads through a real proxy on loopback. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { inspect } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { npm } from '../ecosystems/npm.ts';
import { openFolder } from '../testing/open-folder.ts';
import { open, tarball } from '../testing/open-test-registry.ts';
import { startTestProxy } from '../testing/proxy.ts';
import { defaultDownloadLimits, download } from './download.ts';
import { createHttpClient } from './http-client.ts';
import { createUpstream } from './upstream.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

test.each(['HTTP_PROXY', 'http_proxy'])('an http registry is reached through %s', async (name) => {
  const proxy = await startTestProxy({ credentials: 'user:secret' });
  const { get, server } = await open({ proxy: { [name]: proxy.url } });
  expect(await get(tarball)).toMatchObject({ status: 200, source: 'registry' });
  expect(proxy.requests).toEqual([`GET ${server.url.slice(0, -1)}${tarball}`]);
  expect([...proxy.credentials]).toEqual(['user:secret']);
  expect(server.headersOf(`GET ${tarball}`)).not.toHaveProperty('proxy-authorization');
});

test.runIf(hasOpenssl).each(['HTTPS_PROXY', 'https_proxy'])(
  'an https registry is reached by a tunnel through %s',
  async (name) => {
    const proxy = await startTestProxy({ credentials: 'user:secret' });
    const address = await startHttpsHost('hello');
    const { get } = await open({
      addresses: [address],
      proxy: { [name]: proxy.url, HTTP_PROXY: 'http://127.0.0.1:1' },
    });
    expect(await get(tarball)).toMatchObject({ status: 200, source: 'registry', text: 'hello' });
    expect(proxy.requests).toEqual([`CONNECT ${new URL(address).host}`]);
  },
);

test.each(['NO_PROXY', 'no_proxy'])('%s bypasses the proxy', async (name) => {
  const proxy = await startTestProxy();
  const { get } = await open({ proxy: { HTTP_PROXY: proxy.url, [name]: 'example.com,127.0.0.1' } });
  expect(await get(tarball)).toMatchObject({ status: 200, source: 'registry' });
  expect(proxy.requests).toEqual([]);
});

test('the message blames a proxy that refuses the credentials, without the password', async () => {
  const proxy = await startTestProxy({ credentials: 'user:secret' });
  const wrong = proxy.url.replace('secret', 'wrong-secret');
  const { get, server } = await open({ proxy: { HTTP_PROXY: wrong } });
  const { status, reason } = await get(tarball);
  expect({ status, reason }).toEqual({
    status: 502,
    reason: `the proxy refuses to connect to ${new URL(server.url).host}`,
  });
});

test.each([
  ['refuses the credentials', async () => (await startTestProxy({ credentials: 'user:secret' })).url],
  ['is not running', async () => 'http://user:secret@127.0.0.1:1'],
])('the error for a tunnel through a proxy that %s does not show the password', async (_case, findProxy) => {
  const proxy = (await findProxy()).replace('secret', 'wrong-secret');
  const upstream = createUpstream({ ecosystem: npm, addresses: ['https://127.0.0.1:1/'] });
  const failed = await download({
    ...{ send: createHttpClient({ HTTPS_PROXY: proxy }), upstream, accept: undefined, etag: undefined },
    address: new URL('left-pad', upstream.registry),
    ...{ maxBytes: 1_000, limits: defaultDownloadLimits },
    signal: AbortSignal.timeout(30_000),
  }).catch((error: unknown) => error);
  expect(failed).toMatchObject({ name: 'RegistryFailure' });
  const shown = inspect(failed, { depth: 10, showHidden: true });
  expect(shown).not.toContain('wrong-secret');
  expect(shown).not.toContain(Buffer.from('user:wrong-secret').toString('base64'));
});

/** With a certificate of its own, which this process trusts until the test ends. */
async function startHttpsHost(text: string): Promise<string> {
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const folder = openFolder();
  const output = ['-keyout', join(folder, 'key'), '-out', join(folder, 'certificate')];
  execFileSync('openssl', ['req', '-x509', ...newKey, ...subject, ...output], { stdio: 'pipe' });
  const [key, cert] = ['key', 'certificate'].map((name) => readFileSync(join(folder, name), 'utf8'));
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, cert ?? '']);
  const server = createServer({ key, cert }, (_request, response) => {
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    setDefaultCACertificates(trusted);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
