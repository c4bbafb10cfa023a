import { homedir } from 'node:os';
import { join } from 'node:path';
import { defaultBudgets, defaultStateLimits } from '@fettle/contract';
import { listUrlSecrets, readSettings, seconds } from '@fettle/settings';
import { z } from 'zod';
import { joinGitHosts, parseGitHosts, parseGitTokens } from './git-hosts.ts';
import { githubSettings, toGithubConfig } from './github-config.ts';

const budget = (value: number) =>
  z.coerce.number().int().positive().default(value).describe(`a whole number, for example ${value}`);

const settings = {
  FETTLE_HOME: z.string().default(join(homedir(), '.fettle')).describe('the folder for all data'),
  FETTLE_HOST: z.string().default('127.0.0.1').describe('the address to listen on'),
  FETTLE_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(4747)
    .describe('for example 4747; 0 chooses a free port'),
  FETTLE_WORKER_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{16,500}$/)
    .describe('at least 16 printable characters without spaces, the same for the api and all workers'),
  FETTLE_RATE_LIMIT: z.coerce
    .number()
    .int()
    .positive()
    .default(3_000)
    .describe('requests per minute and token'),
  FETTLE_LEASE_SECONDS: seconds(6, 'after how much silence a worker counts as lost', 2),
  FETTLE_MAX_ATTEMPTS: z.coerce
    .number()
    .int()
    .positive()
    .default(5)
    .describe('how many attempts in a row may be lost at the same step'),
  FETTLE_MAX_REVISIONS: z.coerce
    .number()
    .int()
    .positive()
    .max(100)
    .default(5)
    .describe('how often an operation may work on its proposal, the first time included'),
  FETTLE_STATE_LIMITS: z
    .string()
    .default('')
    .transform(parseStateLimits)
    .describe('seconds per state, for example queued=86400,paused=604800'),
  FETTLE_CHECKPOINT_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3_650)
    .default(30)
    .describe('for how many days the checkpoints of an ended operation are kept'),
  FETTLE_REPOSITORIES: z.string().optional().describe('the folder that contains owner/name'),
  FETTLE_GIT_HOSTS: z
    .string()
    .default('')
    .transform(parseGitHosts)
    .describe('hosts or origins, for example git.example.com,http://10.0.0.5:3000'),
  FETTLE_GIT_TOKENS: z
    .string()
    .default('')
    .transform(parseGitTokens)
    .describe('one token per host, for example git.example.com=the-token'),
  FETTLE_LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  FETTLE_MAX_PARTS: budget(defaultBudgets.parts),
  FETTLE_MAX_TURNS: budget(defaultBudgets.turns),
  FETTLE_MAX_TOKENS: budget(defaultBudgets.tokens),
  FETTLE_MAX_SECONDS: seconds(defaultBudgets.seconds, 'the time limit of one operation'),
  FETTLE_MAX_USD: z.coerce.number().positive().max(100_000).default(defaultBudgets.usd),
  ...githubSettings,
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('postgresql://user@host/database'),
  REDIS_URL: z
    .string()
    .regex(/^(rediss?|unix):\/\//)
    .describe('redis://host:6379 or unix:///path/redis.sock'),
};

export function readConfig(environment: NodeJS.ProcessEnv) {
  const values = readSettings(settings, environment);
  return {
    home: values.FETTLE_HOME,
    host: values.FETTLE_HOST,
    port: values.FETTLE_PORT,
    workerKey: values.FETTLE_WORKER_KEY,
    requestsPerMinute: values.FETTLE_RATE_LIMIT,
    repositories: values.FETTLE_REPOSITORIES ?? join(values.FETTLE_HOME, 'repositories'),
    gitHosts: joinGitHosts(values.FETTLE_GIT_HOSTS, values.FETTLE_GIT_TOKENS),
    github: toGithubConfig(values),
    proposalLimits: {
      open: values.FETTLE_MAX_OPEN_PULL_REQUESTS,
      perHour: values.FETTLE_MAX_HOURLY_PULL_REQUESTS,
    },
    leaseSeconds: values.FETTLE_LEASE_SECONDS,
    checkpointDays: values.FETTLE_CHECKPOINT_DAYS,
    maxLost: values.FETTLE_MAX_ATTEMPTS,
    maxRevisions: values.FETTLE_MAX_REVISIONS,
    stateLimits: { ...defaultStateLimits, ...values.FETTLE_STATE_LIMITS },
    logLevel: values.FETTLE_LOG_LEVEL,
    budgets: {
      parts: values.FETTLE_MAX_PARTS,
      turns: values.FETTLE_MAX_TURNS,
      tokens: values.FETTLE_MAX_TOKENS,
      usd: values.FETTLE_MAX_USD,
      seconds: values.FETTLE_MAX_SECONDS,
    },
    /** Values that must not appear in logs or answers. */
    secrets: [
      values.FETTLE_WORKER_KEY,
      ...listUrlSecrets(values.DATABASE_URL),
      ...listUrlSecrets(values.REDIS_URL),
      ...values.FETTLE_GIT_TOKENS.values(),
      values.GITHUB_TOKEN,
      values.GITHUB_WEBHOOK_SECRET,
      values.GITHUB_APP_PRIVATE_KEY,
    ],
    databaseUrl: values.DATABASE_URL,
    redisUrl: values.REDIS_URL,
  };
}
export type Config = ReturnType<typeof readConfig>;

/** Only states with a default limit can be configured. */
function parseStateLimits(text: string, context: z.RefinementCtx): Record<string, number> {
  const limits: Record<string, number> = {};
  for (const pair of text.split(',').filter((each) => each.trim() !== '')) {
    const [, name = '', seconds = ''] = /^\s*(\w+)\s*=\s*([1-9]\d{0,8})\s*$/.exec(pair) ?? [];
    if (Object.hasOwn(defaultStateLimits, name)) limits[name] = Number(seconds);
    else
      context.addIssue({
        code: 'custom',
        message: `"${pair}" is not of the form state=seconds, with a state that has a limit`,
      });
  }
  return limits;
}
