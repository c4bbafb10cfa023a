/** Generates hostile requests from a seed, so that a failure can be reproduced. */
const settingNames = [
  ...['Image', 'image', 'HostConfig', 'HostConfig.Privileged', 'Privileged', 'Binds', 'Mounts', 'mounts'],
  ...['CapAdd', 'NetworkMode', 'network', 'Devices', 'PidMode', 'User', 'Entrypoint', 'Cmd', 'Env'],
  ...['Runtime', 'runtime', 'SecurityOpt', 'Labels', 'VolumesFrom', 'UsernsMode', 'IpcMode', 'operation'],
  ...['owner', 'warmUpAfterMs', '__proto__', 'constructor', 'image[]', 'image[Privileged]', 'operation\0'],
  ...[''],
];
const values = [
  ...['true', '1', '0', '-1', '1e309', 'NaN', 'null', '{}', '[]', '["/:/host"]', '{"Privileged":true}'],
  ...['host', 'none', '/:/host', '/var/run/docker.sock', 'container:abc', 'SYS_ADMIN', 'ALL'],
  ...['debian:bookworm-slim', 'root', '0:0'],
  ...[
    '../../etc',
    '\r\nX-Header: 1',
    '"',
    "'",
    '%00',
    '\u0000',
    '💥',
    'a'.repeat(99),
    'b'.repeat(5_000),
    '--privileged',
  ],
  ...['seccomp=unconfined', 'op-1', 'worker_1', '5000', ' ', ''],
];

export interface Generator {
  below(limit: number): number;
  pick<T>(choices: readonly T[]): T;
  /** A mix of valid and invalid parameters of a start. */
  query(images: readonly string[]): Record<string, string>;
  /** A value, raw or URL-encoded. */
  value(): string;
  bytes(length: number): Buffer;
}

export function createGenerator(seed: number): Generator {
  let state = seed >>> 0;
  /** The generator mulberry32. */
  function next(): number {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (limit: number): number => Math.floor(next() * limit);
  const pick = <T>(choices: readonly T[]): T => choices[below(choices.length)] as T;
  return {
    below,
    pick,
    query(images) {
      const usual: [string, string][] = [
        ['image', pick([...images, pick(values)])],
        ['operation', pick(['op-1', pick(values)])],
        ['owner', pick(['me', pick(values)])],
        ['warmUpAfterMs', pick(['0', '100', pick(values)])],
      ];
      const strange = Array.from({ length: pick([0, 0, 0, 1, 3]) }, (): [string, string] => [
        pick(settingNames),
        pick(values),
      ]);
      return Object.fromEntries([...usual.filter(() => below(2) === 0), ...strange]);
    },
    value() {
      const value = pick(values);
      return pick([value, encodeURIComponent(value)]);
    },
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
}
