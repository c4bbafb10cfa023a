/** Whatever an authenticated caller sends, the broker sends only known requests to the engine. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { defaultImage } from '../src/image/default-image.ts';
import { findDangers, findFillerDangers } from '../src/testing/find-dangers.ts';
import { createGenerator, type Generator } from '../src/testing/generator.ts';
import { format, sendRaw, statusOf } from '../src/testing/raw-request.ts';
import { type Recorded, startRecordingProxy } from '../src/testing/recording-proxy.ts';
import { openTestSandbox, startTestBroker, type TestBroker } from '../src/testing/test-broker.ts';
import { describeWithEngine } from '../src/testing/test-engine.ts';

const seed = Number(process.env.FETTLE_FUZZ_SEED ?? 4);
const rounds = Number(process.env.FETTLE_FUZZ_ROUNDS ?? 400);

/** All requests that a broker may send to an engine. */
const allowedRequests = [
  /^GET \/info$/,
  /^GET \/images\/[^/]+\/json$/,
  /^POST \/volumes\/create\?Driver=local&/,
  /^GET \/containers\/json\?/,
  /^GET \/volumes\?/,
  /^GET \/system\/df\?type=volume$/,
  /^POST \/containers\/create\?name=fettle-[A-Za-z0-9._-]+$/,
  /^POST \/containers\/[0-9a-f]{64}\/rename\?name=fettle-[A-Za-z0-9._-]+$/,
  /^(POST|GET) \/containers\/[0-9a-f]{64}\/(attach|start|stats|json)(\?|$)/,
  /^POST \/containers\/fettle-tool-[0-9a-f-]{36}\/(attach|start|wait)(\?|$)/,
  /^DELETE \/containers\/([0-9a-f]{64}|fettle-tool-[0-9a-f-]{36})\?/,
  /^DELETE \/volumes\/[0-9a-f]{64}$/,
];

function strangeRequest(generator: Generator, { key }: TestBroker, spareId: string): Buffer {
  const query = new URLSearchParams(generator.query([defaultImage])).toString();
  const path = generator.pick([
    ...Array.from({ length: 8 }, () => `/v1/sandboxes?${query}`),
    ...['/v1/sandboxes', '/v1/../containers/create', '/containers/create', '//v1/sandboxes'],
    ...['/v1/sandboxes/%2e%2e'],
    ...Array.from({ length: 4 }, () => `/v1/sandboxes/${spareId}/operation/${generator.value()}`),
    ...Array.from({ length: 4 }, () => `/v1/sandboxes/${spareId}/tools/${toolPath(generator)}`),
    ...['http://engine/containers/create', '*', `/v1/sandboxes/${'0'.repeat(36)}`, `/v1/sandboxes#${query}`],
  ]);
  const addsTool = path.includes('/tools/') && generator.below(4) > 0;
  const headers: Record<string, string> = {
    authorization: `Bearer ${key}`,
    ...(generator.below(8) > 0 && { connection: 'Upgrade', upgrade: 'fettle-toolbox' }),
    ...(generator.below(6) === 0 && { 'content-length': generator.pick(['0', '5', '-1', '99999999999']) }),
    ...(addsTool && { 'content-length': '2', connection: 'close' }),
    ...(generator.below(8) === 0 && { 'transfer-encoding': generator.pick(['chunked', 'gzip, chunked']) }),
    ...(generator.below(6) === 0 && { 'x-registry-auth': 'e30=', 'x-forwarded-for': '127.0.0.1' }),
  };
  const method = generator.pick([
    'POST',
    'POST',
    'POST',
    'POST',
    'GET',
    'DELETE',
    'PUT',
    'CONNECT',
    'OPTIONS',
  ]);
  const body = addsTool
    ? '{}'
    : generator.pick(['', '', '{"HostConfig":{"Privileged":true}}', '{"Binds":["/:/host"]}']);
  const text = Buffer.from(format({ method: addsTool ? 'PUT' : method, path, headers, body }), 'utf8');
  // One in ten is not HTTP.
  if (generator.below(10) > 0) return text;
  const at = generator.below(text.length);
  return Buffer.concat([text.subarray(0, at), generator.bytes(5), text.subarray(at + 5)]);
}

function toolPath(generator: Generator): string {
  const parts: [string, string][] = [
    ['node', 'pnpm'],
    ['20.1.0', '1.0.0-rc.1'],
    ['a'.repeat(128), '0'.repeat(128)],
  ];
  return parts.map((usual) => generator.pick([...usual, ...usual, generator.value()])).join('/');
}

function findFaults(recorded: Recorded[]): string[] {
  return recorded.flatMap(({ method, path, body }) => {
    const line = `${method} ${path}`;
    if (!allowedRequests.some((pattern) => pattern.test(line))) return [line];
    if (!path.startsWith('/containers/create')) return [];
    const find = path.includes('name=fettle-tool-') ? findFillerDangers : findDangers;
    return find(JSON.parse(body), [defaultImage]).map((danger) => `${line}: ${danger}`);
  });
}

describeWithEngine('the broker, fuzzed', () => {
  test(`none of ${rounds} requests weakens the isolation (seed ${seed})`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fuzz-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { address, recorded } = await startRecordingProxy(join(folder, 'engine'));
    const broker = await startTestBroker({ DOCKER_HOST: address });
    const { id: spareId = '' } = await openTestSandbox(broker);
    const generator = createGenerator(seed);
    const statuses: Record<number, number> = {};
    for (let round = 0; round < rounds; round += 4) {
      const answers = await Promise.all(
        Array.from({ length: 4 }, () =>
          sendRaw(broker, strangeRequest(generator, broker, spareId), { until: 'answer' }),
        ),
      );
      for (const answer of answers) statuses[statusOf(answer)] = (statuses[statusOf(answer)] ?? 0) + 1;
    }
    expect(findFaults(recorded)).toEqual([]);
    expect(recorded.filter(({ path }) => path.includes('name=fettle-tool-')).length).toBeGreaterThan(0);
    // Some must have been valid, or nothing was tested.
    expect(statuses[101]).toBeGreaterThan(3);
    expect(statuses[400]).toBeGreaterThan(20);
    const health = await sendRaw(broker, format({ method: 'GET', path: '/healthz' }));
    expect(statusOf(health)).toBe(200);
  }, 600_000);
});
