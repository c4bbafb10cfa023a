import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { brokerOf, findSandboxFlaw, limitsOf, sandboxSettings } from '@fettle/sandbox/settings';
import { findUnknownSettings, readSettings, SettingsError } from '@fettle/settings';
import { z } from 'zod';
import { usageError } from './cli-error.ts';
import { addStoredApp } from './github/stored-app.ts';
import { addStoredKeys, listModelKeys, serviceOf, services } from './model-keys/stored-keys.ts';
import {
  addUserConfig,
  type Environment,
  isSet,
  readUserConfig,
  userConfigPath,
} from './user-config/read-user-config.ts';

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
  GITHUB_URL: z.string().default('https://github.com'),
  GITHUB_API_URL: z.string().optional(),
  GITHUB_TOKEN_FROM_GH: z.enum(['on', 'off']).default('off').describe('on or off'),
  FETTLE_MODEL: z.string().optional(),
  FETTLE_POLICY_FILE: z.string().optional(),
  FETTLE_GITLEAKS: z.string().optional(),
};

const defaultHome = join(homedir(), '.fettle');

export type Config = ReturnType<typeof readConfig>;

/** Reads the environment, and what it leaves open from the user's config file and the stored model keys. */
export function readConfig(given: Environment = process.env, model?: string) {
  const userConfig = readUserConfig(given);
  const withUserConfig = addUserConfig(given, userConfig);
  const home = resolve(readOrExplain(withUserConfig).FETTLE_HOME ?? defaultHome);
  const withStored = addStoredApp(addStoredKeys(withUserConfig, home), home);
  const environment = chooseModel(withStored, model);
  const values = readOrExplain(environment);
  return {
    home,
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
    github: githubOf(values, environment),
    secrets: [values.FETTLE_TOKEN, values.FETTLE_WORKER_KEY, values.ANTHROPIC_API_KEY, values.OPENAI_API_KEY],
    modelKeys: listModelKeys(environment, home),
    unknownSettings: findUnknownSettings(given),
    userFile: { path: userConfigPath(given), exists: existsSync(userConfigPath(given)), values: userConfig },
    /** The environment without anything added. */
    given,
    /** The repository for a command outside of any. */
    repository: userConfig.repo,
    policyFile: values.FETTLE_POLICY_FILE,
    searchPath: environment.PATH ?? '',
    /** Child processes get single variables of it, picked by name. */
    environment,
  };
}

/** The settings of a server that is started for one request: its worker needs only the key for that model. */
export function withModel(config: Config, model: string | undefined): Config {
  return model === undefined ? config : readConfig(config.given, model);
}

/** The settings that belong to another model do not apply, as in a worker that a request names a model to. */
function chooseModel(environment: Environment, model: string | undefined): Environment {
  const { FETTLE_MODEL: own } = environment;
  if (model === undefined || model === own) return environment;
  const isSameService = serviceOf(model) === serviceOf(own);
  return {
    ...environment,
    ...{ FETTLE_MODEL: model, FETTLE_MODEL_CONTEXT_TOKENS: undefined },
    ...(!isSameService && { FETTLE_MODEL_THINKING: undefined }),
  };
}

/** Where GitHub is, and how the api signs in there. */
function githubOf(values: ReturnType<typeof readOrExplain>, environment: Environment) {
  const { GITHUB_URL, GITHUB_API_URL, GITHUB_TOKEN_FROM_GH } = values;
  const url = GITHUB_URL.replace(/\/+$/, '');
  const isPublic = url === 'https://github.com';
  const apiUrl = GITHUB_API_URL ?? (isPublic ? 'https://api.github.com' : `${url}/api/v3`);
  const app = isSet(environment, 'GITHUB_APP_ID') ? `App ${environment.GITHUB_APP_ID}` : undefined;
  const hasToken = isSet(environment, 'GITHUB_TOKEN');
  const hasList = isSet(environment, 'GITHUB_REPOSITORIES');
  const asksGh = GITHUB_TOKEN_FROM_GH === 'on' && app === undefined && !hasToken;
  const token = asksGh ? 'the token of gh' : hasToken ? 'GITHUB_TOKEN' : undefined;
  return { url, apiUrl, asksGh, source: app ?? (hasList ? token : undefined) };
}

/** The settings of the model service that FETTLE_MODEL names. */
function modelServiceOf(values: ReturnType<typeof readOrExplain>) {
  const name = values.FETTLE_MODEL;
  const service = serviceOf(name);
  const { keyName, urlName } = services[service];
  return { name, service, keyName, urlName, key: values[keyName], url: values[urlName] };
}

function readOrExplain(environment: Environment) {
  try {
    return readSettings(settings, environment, findSandboxFlaw);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const advice =
      'Correct the environment variable, or unset it. `fettle config` shows what comes from your config file.';
    throw usageError(error.message, advice);
  }
}
