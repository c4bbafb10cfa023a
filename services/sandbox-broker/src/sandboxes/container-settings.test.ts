import { startSandboxSchema } from '@fettle/contract';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { findDangers } from '../testing/find-dangers.ts';
import { createGenerator } from '../testing/generator.ts';
import { containerSettings } from './container-settings.ts';

const config = readConfig({
  FETTLE_BROKER_KEY: 'a key of sixteen or more'.replaceAll(' ', '-'),
  FETTLE_BROKER_NAME: 'here',
  FETTLE_SANDBOX_IMAGES: 'fettle-sandbox:1, registry.example.com/team/sandbox:2',
});
const sandbox = {
  id: '00000000-0000-4000-8000-000000000000',
  request: {},
  user: 60_601,
  expiresAt: new Date(1_000_000),
  brokerProcess: '01234567-12-3456',
  diskQuota: false,
  toolsVolume: 'fettle-tools-here-1',
};

test('a container gets what it needs, and nothing that weakens its isolation', () => {
  const { HostConfig, Labels, Entrypoint, ...rest } = containerSettings(
    { ...sandbox, request: { operation: 'op-1', owner: 'worker-1', warmUpAfterMs: 5 } },
    config,
  );
  expect(rest).toEqual({
    Image: 'fettle-sandbox:1',
    User: '60601:1001',
    WorkingDir: '/sandbox',
    Hostname: 'sandbox',
    Cmd: [],
    Env: [
      'LANG=C.UTF-8',
      'MALLOC_ARENA_MAX=1',
      'MALLOC_MMAP_THRESHOLD_=65536',
      'MALLOC_TRIM_THRESHOLD_=65536',
      'FETTLE_WARM_UP_AFTER_MS=5',
      'FETTLE_MEMORY_MB=2048',
      'FETTLE_CPUS=1',
      'FETTLE_OWN_PROCESSES=1',
    ],
    Healthcheck: { Test: ['NONE'] },
    ExposedPorts: {},
    Tty: false,
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    NetworkDisabled: true,
  });
  expect(Entrypoint).toContain('/opt/fettle/toolbox/src/toolbox/main.ts');
  const marks = {
    'fettle.sandbox': sandbox.id,
    'fettle.broker': 'here',
    'fettle.expires': '1000',
    'fettle.operation': 'op-1',
    'fettle.owner': 'worker-1',
    'fettle.user': '60601',
    'fettle.process': '01234567-12-3456',
  };
  expect(Labels).toEqual(marks);
  expect({
    ...HostConfig,
    SecurityOpt: HostConfig?.SecurityOpt?.map((option: string) => option.slice(0, 17)),
    MaskedPaths: HostConfig?.MaskedPaths?.filter((path: string) => path.startsWith('/sys')),
  }).toEqual({
    Privileged: false,
    ReadonlyRootfs: true,
    CapAdd: [],
    CapDrop: ['ALL'],
    SecurityOpt: ['no-new-privileges', 'seccomp={"default'],
    MaskedPaths: ['/sys/firmware', '/sys/kernel', '/sys/devices/virtual/powercap', '/sys/module'],
    NetworkMode: 'none',
    IpcMode: 'private',
    PidMode: '',
    UTSMode: '',
    CgroupnsMode: 'private',
    Binds: [],
    Devices: [],
    PublishAllPorts: false,
    Init: true,
    LogConfig: { Type: 'none', Config: {} },
    RestartPolicy: { Name: 'no' },
    AutoRemove: false,
    Memory: 2 ** 31,
    MemorySwap: 2 ** 31,
    NanoCpus: 1e9,
    PidsLimit: 256,
    OomScoreAdj: 500,
    ShmSize: 2 ** 26,
    Ulimits: [
      { Name: 'nofile', Soft: 4_096, Hard: 4_096 },
      { Name: 'core', Soft: 0, Hard: 0 },
      { Name: 'fsize', Soft: 10 * 2 ** 30, Hard: 10 * 2 ** 30 },
    ],
    Tmpfs: { '/tmp': 'rw,exec,nosuid,nodev,mode=1777,size=64m' },
    Mounts: [
      {
        Type: 'volume',
        Source: '',
        Target: '/sandbox',
        ReadOnly: false,
        VolumeOptions: { NoCopy: false, Labels: marks, DriverConfig: { Name: 'local', Options: {} } },
      },
      {
        Type: 'volume',
        Source: 'fettle-tools-here-1',
        Target: '/opt/fettle/tools',
        ReadOnly: true,
        VolumeOptions: {
          NoCopy: true,
          Labels: { 'fettle.tools': 'here' },
          DriverConfig: { Name: 'local', Options: {} },
        },
      },
    ],
  });
});

describe('settings of the operator', () => {
  test('passes the runtime on', () => {
    expect(containerSettings(sandbox, { ...config, runtime: 'runsc' }).HostConfig?.Runtime).toBe('runsc');
  });

  test('limits the volume if the engine has quotas', () => {
    const { HostConfig } = containerSettings({ ...sandbox, diskQuota: true }, config);
    expect(HostConfig?.Mounts?.[0]?.VolumeOptions?.DriverConfig.Options).toEqual({ size: '10240m' });
  });
});

describe('images', () => {
  test('accepts an allowed one', () => {
    const image = 'registry.example.com/team/sandbox:2';
    expect(containerSettings({ ...sandbox, request: { image } }, config).Image).toBe(image);
  });

  test.each([
    'fettle-sandbox',
    'fettle-sandbox:1 ',
    'docker.io/library/fettle-sandbox:1',
    '--privileged',
    '',
  ])('refuses %j', (image) => {
    expect(() => containerSettings({ ...sandbox, request: { image } }, config)).toThrow('not allowed');
  });
});

test('no request that passes the schema weakens the isolation', () => {
  const generator = createGenerator(20_261_116);
  let built = 0;
  for (let round = 0; round < 3_000; round++) {
    const parsed = startSandboxSchema.safeParse(generator.query(config.images));
    if (!parsed.success) continue;
    try {
      const settings = containerSettings({ ...sandbox, request: parsed.data }, config);
      expect(findDangers(settings, config.images)).toEqual([]);
      built += 1;
    } catch (error) {
      expect((error as Error).message).toBe('this image is not allowed');
    }
  }
  expect(built).toBeGreaterThan(100);
});
