import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { brokerOf, findSandboxFlaw, limitsOf, sandboxSettings } from '@fettle/sandbox/settings';
import { readSettings, SettingsError } from '@fettle/settings';
import { z } from 'zod';
import { usageError } from './cli-error.ts';

const defaultPort = 4747;

const settings = {
  FETTLE_HOME: z
    .string()
    // Creating a folder there never returns.
    .refine((path) => !/^\/(proc|sys)(\/|$)/.test(resolve(path)), 'cannot hold files')
    .optional(),
  FETTLE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('the URL of a running server, for example http://127.0.0.1:4747'),
  FETTLE_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'is not a token')
    .optional(),
  FETTLE_HOST: z.string().default('127.0.0.1'),
  FETTLE_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(defaultPort)
    .describe('for example 4747; 0 picks a free port'),
  FETTLE_SANDBOX: z
    .enum(['auto', 'docker', 'bubblewrap', 'process'])
    .default('auto')
    .describe('auto, docker, bubblewrap or process'),
  ...sandboxSettings,
  DOCKER_HOST: z.string().default('unix:///var/run/docker.sock'),
  FETTLE_WORKER_KEY: z.string().min(16).optional().describe('at least 16 characters'),
  DATABASE_URL: z.string().optional(),
  REDIS_URL: z.string().optional(),
  ANTHROPIC_API_KEY: z.string().optional(),
  ANTHROPIC_BASE_URL: z.string().optional(),
  OPENAI_API_KEY: z.string().optional(),
  OPENAI_BASE_URL: z.string().optional(),
  FETTLE_MODEL: z.string().optional(),
  FETTLE_POLICY_FILE: z.string().optional(),
  FETTLE_GITLEAKS: z.string().optional(),
};

const defaultHome = join(homedir(), '.fettle');

export type Config = ReturnType<typeof readConfig>;

export function readConfig(environment: NodeJS.ProcessEnv = process.env) {
  const values = readOrExplain(environment);
  return {
    home: resolve(values.FETTLE_HOME ?? defaultHome),
    /** Where `npm run setup` installs its tools by default. */
    defaultHome,
    url: values.FETTLE_URL?.replace(/\/+$/, ''),
    token: values.FETTLE_TOKEN,
    host: values.FETTLE_HOST,
    port: values.FETTLE_PORT,
    sandbox: values.FETTLE_SANDBOX,
    sandboxFolders: values.FETTLE_SANDBOX_FOLDERS,
    sandboxLimits: limitsOf(values),
    broker: brokerOf(values),
    engine: values.DOCKER_HOST,
    gitleaks: values.FETTLE_GITLEAKS,
    workerKey: values.FETTLE_WORKER_KEY,
    databaseUrl: values.DATABASE_URL,
    redisUrl: values.REDIS_URL,
    model: modelServiceOf(values),
    policyFile: values.FETTLE_POLICY_FILE,
    searchPath: environment.PATH ?? '',
    /** Child processes get single variables of it, picked by name. */
    environment,
  };
}

/** The settings of the model service that FETTLE_MODEL names. */
function modelServiceOf(values: ReturnType<typeof readOrExplain>) {
  const prefix = values.FETTLE_MODEL?.startsWith('openai:') ? 'OPENAI' : 'ANTHROPIC';
  const keyName = `${prefix}_API_KEY` as const;
  const urlName = `${prefix}_BASE_URL` as const;
  return { keyName, urlName, key: values[keyName], url: values[urlName] };
}

function readOrExplain(environment: NodeJS.ProcessEnv) {
  try {
    return readSettings(settings, environment, findSandboxFlaw);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw usageError(error.message, 'Correct the environment variable, or unset it.');
  }
}
