import { createHash } from 'node:crypto';
import { readSettings, seconds } from '@fettle/settings';
import { z } from 'zod';
import { defaultEngine } from './engine/connect-engine.ts';
import { defaultImage } from './image/default-image.ts';

const count = (value: number, most = 1_000_000) =>
  z.coerce.number().int().min(1).max(most).default(value).describe(`a whole number, for example ${value}`);

/** An image name with optional registry, tag and digest. Excludes options and paths. */
const imageName =
  /^[a-z0-9][a-z0-9._/:-]{0,150}(:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(@sha256:[0-9a-f]{64})?$/;

const settings = {
  FETTLE_BROKER_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{16,500}$/)
    .describe('at least 16 printable characters without spaces, the same for broker and workers'),
  FETTLE_BROKER_NAME: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,60}$/)
    .optional()
    .describe('letters, digits and dashes; needed if two brokers with the same key share an engine'),
  FETTLE_BROKER_SOCKET: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('the path of a Unix socket to listen on'),
  FETTLE_BROKER_HOST: z.string().default('127.0.0.1').describe('the address to listen on'),
  FETTLE_BROKER_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(4748)
    .describe('for example 4748; 0 chooses a free port'),
  DOCKER_HOST: z.string().default(defaultEngine).describe(`the engine, for example ${defaultEngine}`),
  FETTLE_SANDBOX_IMAGES: z
    .string()
    .default(defaultImage)
    .transform((text) => text.split(',').map((name) => name.trim()))
    .pipe(z.array(z.string().regex(imageName)).min(1).max(100))
    .describe(`allowed images, the default first, for example ${defaultImage}`),
  FETTLE_SANDBOX_RUNTIME: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,60}$/)
    .optional()
    .describe('a runtime that the engine knows, for example runsc'),
  FETTLE_SANDBOX_MEMORY_MB: count(2048),
  FETTLE_SANDBOX_CPUS: z.coerce.number().min(0.1).max(1024).default(1).describe('for example 1.5'),
  FETTLE_SANDBOX_PIDS: count(256),
  FETTLE_SANDBOX_DISK_MB: count(10_240, 1_000_000_000),
  FETTLE_SANDBOX_TMP_MB: count(64),
  FETTLE_SANDBOX_TOOLS_MB: count(4_096),
  FETTLE_SANDBOX_SECONDS: seconds(4 * 3600, 'how long a sandbox may live'),
  FETTLE_COLLECT_SECONDS: seconds(60, 'how often leftover containers are removed'),
  FETTLE_MAX_SANDBOXES: z.coerce
    .number()
    .int()
    .min(2)
    .max(10_000)
    .default(32)
    .describe('how many at once; at least 2, because an operation verifies its change in a second sandbox'),
  FETTLE_LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
};

export function readConfig(environment: NodeJS.ProcessEnv) {
  const values = readSettings(settings, environment);
  return {
    key: values.FETTLE_BROKER_KEY,
    collectMs: values.FETTLE_COLLECT_SECONDS * 1000,
    /** A label of every container and volume of this broker. Those that it does not know are leftovers. */
    identity: values.FETTLE_BROKER_NAME ?? identityOf(values.FETTLE_BROKER_KEY),
    listen:
      values.FETTLE_BROKER_SOCKET === undefined
        ? { host: values.FETTLE_BROKER_HOST, port: values.FETTLE_BROKER_PORT }
        : { path: values.FETTLE_BROKER_SOCKET },
    engine: values.DOCKER_HOST,
    images: values.FETTLE_SANDBOX_IMAGES as [string, ...string[]],
    runtime: values.FETTLE_SANDBOX_RUNTIME,
    limits: {
      memoryMb: values.FETTLE_SANDBOX_MEMORY_MB,
      cpus: values.FETTLE_SANDBOX_CPUS,
      pids: values.FETTLE_SANDBOX_PIDS,
      diskMb: values.FETTLE_SANDBOX_DISK_MB,
      tmpMb: values.FETTLE_SANDBOX_TMP_MB,
      seconds: values.FETTLE_SANDBOX_SECONDS,
    },
    /** The size of the volume with tools. */
    toolsMb: values.FETTLE_SANDBOX_TOOLS_MB,
    maxSandboxes: values.FETTLE_MAX_SANDBOXES,
    logLevel: values.FETTLE_LOG_LEVEL,
  };
}
export type Config = ReturnType<typeof readConfig>;

/** Derived from the key, so that it survives a restart without a file and differs between installations. */
function identityOf(key: string): string {
  return createHash('sha256').update(`fettle sandbox broker ${key}`).digest('hex').slice(0, 16);
}
