import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

const key = 'k'.repeat(16);

test('defaults', () => {
  const { identity, images, ...config } = readConfig({ FETTLE_BROKER_KEY: key });
  expect(config).toEqual({
    key,
    collectMs: 60_000,
    listen: { host: '127.0.0.1', port: 4748 },
    engine: 'unix:///var/run/docker.sock',
    runtime: undefined,
    limits: {
      memoryMb: 2048,
      cpus: 1,
      pids: 256,
      diskMb: 10_240,
      tmpMb: 64,
      seconds: 14_400,
    },
    toolsMb: 4_096,
    maxSandboxes: 32,
    logLevel: 'info',
  });
  expect(images).toEqual([expect.stringMatching(/^fettle-sandbox:\d+\.\d+\.\d+/)]);
  expect(identity).toMatch(/^[0-9a-f]{16}$/);
});

test('the identity depends on the key and does not reveal it', () => {
  const identityOf = (text: string) => readConfig({ FETTLE_BROKER_KEY: text }).identity;
  expect(identityOf(key)).toBe(identityOf(key));
  expect(identityOf(key)).not.toBe(identityOf(`${key}2`));
  expect(key).not.toContain(identityOf(key));
});

test('a Unix socket replaces the host and port', () => {
  const { listen } = readConfig({ FETTLE_BROKER_KEY: key, FETTLE_BROKER_SOCKET: '/run/fettle/broker.sock' });
  expect(listen).toEqual({ path: '/run/fettle/broker.sock' });
});

test.each([
  'sandbox',
  'team/sandbox:V1.2_x',
  'registry.example.com:5000/team/sandbox:2',
  `sandbox@sha256:${'a'.repeat(64)}`,
])('accepts image %j', (image) => {
  expect(readConfig({ FETTLE_BROKER_KEY: key, FETTLE_SANDBOX_IMAGES: image }).images).toEqual([image]);
});

test.each(['', ',', '--privileged', 'a b', '../x', 'x@sha256:12', 'UPPER:1'])(
  'image list %j is refused',
  (images) => {
    const read = () => readConfig({ FETTLE_BROKER_KEY: key, FETTLE_SANDBOX_IMAGES: images || ' ' });
    expect(read).toThrow('FETTLE_SANDBOX_IMAGES');
  },
);

test('rejects fewer than two sandboxes', () => {
  const read = (most: string) => readConfig({ FETTLE_BROKER_KEY: key, FETTLE_MAX_SANDBOXES: most });
  expect(() => read('1')).toThrow(
    /^FETTLE_MAX_SANDBOXES: .*at least 2, because an operation verifies its change/,
  );
  expect(read('2').maxSandboxes).toBe(2);
});

test('names an invalid key without showing it', () => {
  expect(() => readConfig({ FETTLE_BROKER_KEY: 'hunter2' })).toThrow(/^FETTLE_BROKER_KEY: (?!.*hunter2)/);
});
