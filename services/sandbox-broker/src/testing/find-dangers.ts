/** Finds settings that a container must never have in the body of a request to the engine. */
import { z } from 'zod';

const empty = z
  .union([z.null(), z.array(z.never()), z.record(z.string(), z.never()), z.literal('')])
  .optional();
const off = z.literal(false).optional();
const ownNamespace = z.literal(['', 'private']).optional();

const mountSchema = z.strictObject({
  Type: z.literal('volume'),
  Source: z.literal(''),
  Target: z.literal('/sandbox'),
  ReadOnly: z.boolean(),
  VolumeOptions: z.strictObject({
    NoCopy: z.boolean(),
    Labels: z.record(z.string().startsWith('fettle.'), z.string()),
    DriverConfig: z.strictObject({
      Name: z.literal('local'),
      Options: z.strictObject({ size: z.string().optional() }),
    }),
  }),
});

/** Strict: a setting that is not listed here counts as dangerous until it has been reviewed. */
const hostSchema = z.strictObject({
  Privileged: off,
  ReadonlyRootfs: z.literal(true),
  CapAdd: empty,
  CapDrop: z.tuple([z.literal('ALL')]),
  SecurityOpt: z.tuple([
    z.literal('no-new-privileges'),
    z.string().startsWith('seccomp={"defaultAction":"SCMP_ACT_ERRNO"'),
  ]),
  NetworkMode: z.literal('none'),
  IpcMode: z.literal('private'),
  PidMode: ownNamespace,
  UTSMode: ownNamespace,
  CgroupnsMode: ownNamespace,
  // Longer than the engine's default list, which an empty list would remove.
  MaskedPaths: z.array(z.string().startsWith('/')).min(12),
  Binds: empty,
  Devices: empty,
  PublishAllPorts: off,
  Init: z.literal(true),
  LogConfig: z.strictObject({ Type: z.literal('none'), Config: empty }),
  RestartPolicy: z.strictObject({ Name: z.literal('no') }),
  AutoRemove: off,
  Memory: z.number().min(1),
  MemorySwap: z.number().min(1),
  NanoCpus: z.number().min(1),
  PidsLimit: z.number().min(1),
  OomScoreAdj: z.number().min(0),
  ShmSize: z.number(),
  Ulimits: z.array(z.unknown()),
  Tmpfs: z.strictObject({ '/tmp': z.string().regex(/nosuid,nodev/) }),
  Mounts: z.tuple([mountSchema]),
});

export function findDangers(settings: unknown, images: string[]): string[] {
  const schema = z.strictObject({
    Image: z.literal(images),
    Labels: z.record(z.string().startsWith('fettle.'), z.string().max(100)),
    // A uid from 60601 to 61000, with the group of the sandbox folder.
    User: z.string().regex(/^(60(60[1-9]|6[1-9]\d|[7-9]\d\d)|61000):1001$/),
    WorkingDir: z.literal('/sandbox'),
    Hostname: z.literal('sandbox'),
    Entrypoint: z.array(
      z
        .string()
        .regex(
          /^(\/opt\/fettle\/[\w./-]+|--disable-warning=ExperimentalWarning|--disable-sigusr1|--max-semi-space-size=1)$/,
        ),
    ),
    Cmd: empty,
    Env: z.array(z.string().regex(/^(LANG=C\.UTF-8|(FETTLE|MALLOC)_[A-Z_]+=\d+)$/)),
    Healthcheck: z.strictObject({ Test: z.tuple([z.literal('NONE')]) }),
    ExposedPorts: empty,
    Tty: off,
    OpenStdin: z.literal(true),
    StdinOnce: z.literal(true),
    AttachStdin: z.literal(true),
    AttachStdout: z.literal(true),
    AttachStderr: z.literal(true),
    NetworkDisabled: z.literal(true),
    HostConfig: hostSchema,
  });
  const parsed = schema.safeParse(settings);
  return parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}
