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

/** The tools. A sandbox can only read them. */
const toolsMountSchema = z.strictObject({
  Type: z.literal('volume'),
  Source: z.string().regex(/^fettle-tools-[A-Za-z0-9._-]{1,60}-\d+$/),
  Target: z.literal('/opt/fettle/tools'),
  ReadOnly: z.literal(true),
  VolumeOptions: z.strictObject({
    NoCopy: z.literal(true),
    Labels: z.strictObject({ 'fettle.tools': z.string() }),
    DriverConfig: z.strictObject({ Name: z.literal('local'), Options: empty }),
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
  Mounts: z.tuple([mountSchema, toolsMountSchema]),
});

const containerSchema = z.strictObject({
  Labels: z.record(z.string().startsWith('fettle.'), z.string().max(100)),
  Cmd: empty,
  Healthcheck: z.strictObject({ Test: z.tuple([z.literal('NONE')]) }),
  ExposedPorts: empty,
  Tty: off,
  OpenStdin: z.literal(true),
  StdinOnce: z.literal(true),
  AttachStdin: z.literal(true),
  AttachStdout: z.literal(true),
  AttachStderr: z.literal(true),
  NetworkDisabled: z.literal(true),
});

const sandboxSchema = containerSchema.extend({
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
  Env: z.array(z.string().regex(/^(LANG=C\.UTF-8|(FETTLE|MALLOC)_[A-Z_]+=\d+)$/)),
  HostConfig: hostSchema,
});

/** The container that unpacks a tool: nothing but the volume, and only values that are data for its script. */
const fillerSchema = containerSchema.extend({
  User: z.literal('0:0'),
  WorkingDir: z.literal('/'),
  Hostname: z.literal('tools'),
  Entrypoint: z.tuple([
    z.literal('/bin/sh'),
    z.literal('-c'),
    z.string().startsWith('# Runs in a container without a network'),
    z.literal('unpack-tool'),
    z
      .string()
      .regex(/^(node|npm|pnpm|yarn-classic|yarn|bun|deno)-\d+\.\d+\.\d+[0-9A-Za-z.-]{0,60}-[0-9a-f]{32}$/),
    z.string().regex(/^[0-9a-f]{128}$/),
    z.string().regex(/^(\{("\w+":"[\w/]+",?)+\})?$/),
    z.string().regex(/^\d+$/),
    z.string().regex(/^\d+$/),
  ]),
  Env: z.tuple([z.literal('LANG=C.UTF-8')]),
  HostConfig: hostSchema.omit({ Tmpfs: true }).extend({
    Mounts: z.tuple([toolsMountSchema.extend({ ReadOnly: z.literal(false) })]),
  }),
});

export function findDangers(settings: unknown, images: string[]): string[] {
  return check(sandboxSchema.extend({ Image: z.literal(images) }), settings);
}

export function findFillerDangers(settings: unknown, images: string[]): string[] {
  return check(fillerSchema.extend({ Image: z.literal(images[0]) }), settings);
}

function check(schema: z.ZodType, settings: unknown): string[] {
  const parsed = schema.safeParse(settings);
  return parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}
