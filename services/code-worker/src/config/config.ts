import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import { defaultLoopThreshold } from '@fettle/agent';
import { commandModes } from '@fettle/contract';
import { isGlob, splitGlobs } from '@fettle/policy';
import { parseScriptNames, pickNpmEnvironment, readRegistries } from '@fettle/registry';
import { brokerOf, findSandboxFlaw, limitsOf, sandboxSettings } from '@fettle/sandbox/settings';
import {
  listPairSecrets,
  listProxySecrets,
  listUrlSecrets,
  readProxy,
  readSettings,
  seconds,
  serverUrl,
} from '@fettle/settings';
import { z } from 'zod';
import { findModelFlaw, modelNamed, modelOf, modelSettings } from './model-config.ts';
import { findCommandFlaw, loadPolicyFile } from './policy-config.ts';

const httpUrl = z.url({ protocol: /^https?$/ });
const count = (value: number) => z.coerce.number().int().positive().default(value);

const settings = {
  FETTLE_HOME: z.string().default(join(homedir(), '.fettle')).describe('the folder for all state'),
  FETTLE_URL: httpUrl.default('http://127.0.0.1:4747').describe('the address of the api'),
  FETTLE_WORKER_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{16,500}$/)
    .describe('at least 16 printable characters without spaces; the same for the api and its workers'),
  FETTLE_WORKER_NAME: z.string().default(`${hostname()}-${process.pid}`),
  FETTLE_CONCURRENCY: count(4).describe('how many operations run at the same time'),
  FETTLE_SIGN_OF_LIFE: z
    .string()
    .optional()
    .describe('a file for health checks: empty and new while the worker can work, else the reasons'),
  PATH: z.string().default('/usr/local/bin:/usr/bin:/bin').describe('where commands find their programs'),
  FETTLE_SANDBOX: z.enum(['auto', 'docker', 'bubblewrap', 'process']).default('auto'),
  FETTLE_USAGE_SECONDS: seconds(10, 'how often the resource usage of a sandbox is recorded'),
  FETTLE_BROKER_MISSING: z.string().optional().describe('why there is no broker; set by fettle itself'),
  ...sandboxSettings,
  ...modelSettings,
  FETTLE_COMPACT_AT: z.coerce
    .number()
    .min(10)
    .max(95)
    .default(85)
    .describe('the percentage of the context at which old turns are compacted'),
  FETTLE_COMPACT_KEEP_TOKENS: count(40_000).describe(
    'how much of the newest turns compaction keeps unchanged',
  ),
  FETTLE_LOOP_THRESHOLD: z.coerce
    .number()
    .int()
    .min(2)
    .max(20)
    .default(defaultLoopThreshold)
    .describe('how often the agent may repeat itself before it is warned'),
  FETTLE_READ_BYTES: count(1_000_000),
  FETTLE_WRITE_BYTES: count(500_000),
  FETTLE_COMMAND_SECONDS: seconds(300, 'the time limit of one command of the agent'),
  FETTLE_CHECK_SECONDS: seconds(1_800, 'the time limit of set-up, and of one check that Fettle runs itself'),
  FETTLE_LONG_CHECK_SECONDS: seconds(
    120,
    'tests that usually take longer run once, in the fresh sandbox, and only the related ones before that',
  ),
  FETTLE_COMMAND_OUTPUT_BYTES: count(10_000_000),
  FETTLE_COMMAND_MEMORY_MB: z.coerce.number().int().min(0).default(0),
  FETTLE_FILE_REQUESTS_BURST: count(300),
  FETTLE_FILE_REQUESTS_PER_MINUTE: count(100),
  FETTLE_REGISTRIES: z
    .string()
    .optional()
    .describe('registries that sandboxes may install from, for example npm=https://npm.example.com; or none'),
  FETTLE_REGISTRY_TOKENS: z.string().optional().describe('for example npm=the-token'),
  FETTLE_REGISTRY_CACHE_BYTES: count(5_000_000_000),
  FETTLE_INSTALL_SCRIPTS: z
    .string()
    .default('none')
    .transform(parseScriptNames)
    .describe('packages whose install scripts may run, for example esbuild,@scope/native'),
  FETTLE_ALLOW_GUARDS: z
    .string()
    .default('none')
    .transform(splitGlobs)
    .refine((globs) => globs.every(isGlob), 'must be globs without negation (!)')
    .describe('guards that a request may change by naming them, for example .github/workflows/**,AGENTS.md'),
  FETTLE_COMMANDS: z
    .enum(commandModes)
    .optional()
    .describe(
      'strict: no shell runs the agent’s commands. contained: bash does, inside docker or bubblewrap, where it is the default',
    ),
  FETTLE_POLICY_FILE: z
    .string()
    .optional()
    .describe('a file with rules for commands, in addition to the built-in rules'),
  FETTLE_GITLEAKS: z
    .string()
    .optional()
    .describe('the gitleaks program, if it is neither on the PATH nor installed by the set-up'),
  FETTLE_MASK_SECRETS: z
    .enum(['on', 'off'])
    .default('on')
    .describe('whether the model sees tokens instead of the secrets in files and outputs'),
  FETTLE_FAULT_EVIDENCE: z
    .enum(['on', 'off'])
    .default('on')
    .describe('whether a fix has to show the fault: a test that fails before it and passes after it'),
  FETTLE_CHANGE_FILE_BYTES: count(5_000_000).describe('the maximum size of one file in a change'),
  FETTLE_LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  REDIS_URL: serverUrl(['redis', 'rediss', 'unix']).describe('redis://host:6379 or unix:///path/redis.sock'),
};

export function readConfig(environment: NodeJS.ProcessEnv) {
  const values = readSettings(
    settings,
    environment,
    (given) => findSandboxFlaw(given) ?? findModelFlaw(given) ?? findCommandFlaw(given),
  );
  const policyFile = loadPolicyFile(values);
  const registries = readRegistries({
    registries: values.FETTLE_REGISTRIES,
    tokens: values.FETTLE_REGISTRY_TOKENS,
  });
  const proxy = readProxy(environment);
  return {
    home: values.FETTLE_HOME,
    apiUrl: values.FETTLE_URL,
    workerKey: values.FETTLE_WORKER_KEY,
    workerName: values.FETTLE_WORKER_NAME,
    livenessPath: values.FETTLE_SIGN_OF_LIFE,
    concurrency: values.FETTLE_CONCURRENCY,
    sandbox: values.FETTLE_SANDBOX,
    broker: brokerOf(values),
    brokerMissing: values.FETTLE_BROKER_MISSING,
    sandboxFolders: values.FETTLE_SANDBOX_FOLDERS,
    sandboxLimits: limitsOf(values),
    usageMs: values.FETTLE_USAGE_SECONDS * 1000,
    searchPath: withoutOwnPrograms(values.PATH),
    model: modelOf(values),
    /** The model that a request names, with the settings of this worker. */
    modelNamed: (name: string) => modelNamed(name, values),
    loopThreshold: values.FETTLE_LOOP_THRESHOLD,
    compaction: {
      compactAt: values.FETTLE_COMPACT_AT / 100,
      keepTokens: values.FETTLE_COMPACT_KEEP_TOKENS,
    },
    toolLimits: {
      readBytes: values.FETTLE_READ_BYTES,
      writeBytes: values.FETTLE_WRITE_BYTES,
      commandSeconds: values.FETTLE_COMMAND_SECONDS,
      commandOutputBytes: values.FETTLE_COMMAND_OUTPUT_BYTES,
      commandMemoryBytes: commandMemoryMb(values) * 1024 ** 2,
    },
    checkSeconds: values.FETTLE_CHECK_SECONDS,
    longCheckSeconds: values.FETTLE_LONG_CHECK_SECONDS,
    filePace: { burst: values.FETTLE_FILE_REQUESTS_BURST, perMinute: values.FETTLE_FILE_REQUESTS_PER_MINUTE },
    proxy,
    registries: {
      proxy,
      npmEnvironment: pickNpmEnvironment(environment),
      allowed: registries,
      folder: join(values.FETTLE_HOME, 'registry-cache'),
      maxBytes: values.FETTLE_REGISTRY_CACHE_BYTES,
    },
    faultEvidence: values.FETTLE_FAULT_EVIDENCE === 'on',
    masksSecrets: values.FETTLE_MASK_SECRETS === 'on',
    /** The installation's own secrets, which must not appear in any output. */
    secrets: [
      values.ANTHROPIC_API_KEY,
      values.OPENAI_API_KEY,
      values.FETTLE_WORKER_KEY,
      values.FETTLE_BROKER_KEY,
      ...listUrlSecrets(values.REDIS_URL),
      ...Object.values(modelOf(values).proxy ?? {}).flatMap(listUrlSecrets),
      ...listPairSecrets(values.FETTLE_REGISTRY_TOKENS),
      ...listProxySecrets(proxy),
    ].filter((secret) => secret !== undefined),
    gitleaks: {
      program: values.FETTLE_GITLEAKS,
      homes: [values.FETTLE_HOME, join(homedir(), '.fettle')],
    },
    /** The operator's limits for changes. */
    changeRules: {
      allowGuards: values.FETTLE_ALLOW_GUARDS,
      maxBytes: values.FETTLE_CHANGE_FILE_BYTES,
      registries: registries.upstreams.flatMap(({ redirectsTo }) => redirectsTo),
    },
    commandMode: values.FETTLE_COMMANDS,
    policyFile,
    installScripts: values.FETTLE_INSTALL_SCRIPTS,
    logLevel: values.FETTLE_LOG_LEVEL,
    redisUrl: values.REDIS_URL,
  };
}
export type Config = ReturnType<typeof readConfig>;

/** `npm run` puts Fettle's own programs first on the PATH, but a repository must not get our `tsc` instead of its own. */
function withoutOwnPrograms(path: string): string {
  const workspace = join(import.meta.dirname, '../../../..');
  return path
    .split(':')
    .filter((folder) => !folder.startsWith(`${workspace}/`) && !folder.includes('/node-gyp-bin'))
    .join(':');
}

/** 0 for no limit of its own: only the broker knows what a container has, and the kernel enforces that. */
function commandMemoryMb(values: {
  FETTLE_COMMAND_MEMORY_MB: number;
  FETTLE_SANDBOX_MEMORY_MB: number;
  FETTLE_BROKER_URL?: string | undefined;
}): number {
  const ofSandbox = values.FETTLE_BROKER_URL === undefined ? values.FETTLE_SANDBOX_MEMORY_MB : 0;
  return values.FETTLE_COMMAND_MEMORY_MB || ofSandbox;
}
