/** The settings that connect GitHub: an App, or the token of one user. */
import { createPrivateKey } from 'node:crypto';
import type { GithubCredentials } from '@fettle/forge';
import { readRepositoryName } from '@fettle/forge';
import { SettingsError, seconds } from '@fettle/settings';
import { z } from 'zod';

const defaultUrl = 'https://github.com';
const defaultApiUrl = 'https://api.github.com';

const printable = z.string().regex(/^[\x21-\x7e]+$/, 'must not contain spaces');
const httpUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''));

export const githubSettings = {
  GITHUB_APP_ID: z
    .string()
    .regex(/^[\w.-]{1,100}$/)
    .optional()
    .describe('the id of the GitHub App, for example 12345'),
  GITHUB_APP_PRIVATE_KEY: z
    .string()
    .transform(readKey)
    .optional()
    .describe('the private key of the GitHub App, in PEM; GITHUB_APP_PRIVATE_KEY_FILE names its file'),
  GITHUB_WEBHOOK_SECRET: printable.optional().describe('the webhook secret of the GitHub App'),
  GITHUB_URL: httpUrl.default(defaultUrl).describe('for example https://github.example.com'),
  GITHUB_API_URL: httpUrl.optional().describe('for example https://github.example.com/api/v3'),
  GITHUB_TOKEN: printable.optional().describe('the token of one user, in place of an App'),
  GITHUB_REPOSITORIES: z
    .string()
    .default('')
    .transform((text, context) => readNames(text, context))
    .describe('the repositories that GITHUB_TOKEN is used for, for example acme/shop,acme/site'),
  GITHUB_POLL_SECONDS: seconds(300, 'how often to fetch webhooks that did not arrive', 1),
  GITHUB_COLLECT_SECONDS: seconds(30, 'how long single comments and failed checks are collected', 1),
  GITHUB_REQUESTERS: z
    .string()
    .default('')
    .transform((text) =>
      text
        .toLowerCase()
        .split(/[,\s]+/)
        .filter(Boolean),
    )
    .describe('accounts that may make requests in every repository, for example ada,bob'),
  FETTLE_MAX_OPEN_PULL_REQUESTS: z.coerce
    .number()
    .int()
    .positive()
    .default(10)
    .describe('how many pull requests of Fettle may be open in one repository on GitHub'),
  FETTLE_MAX_HOURLY_PULL_REQUESTS: z.coerce
    .number()
    .int()
    .positive()
    .default(6)
    .describe('how many pull requests Fettle may open in one repository on GitHub in one hour'),
};

type Values = z.output<z.ZodObject<typeof githubSettings>>;

export function toGithubConfig(values: Values) {
  const { GITHUB_URL: url, GITHUB_API_URL: apiUrl, GITHUB_WEBHOOK_SECRET: webhookSecret } = values;
  return {
    url,
    apiUrl: apiUrl ?? (url === defaultUrl ? defaultApiUrl : `${url}/api/v3`),
    webhookSecret,
    pollSeconds: values.GITHUB_POLL_SECONDS,
    collectSeconds: values.GITHUB_COLLECT_SECONDS,
    requesters: values.GITHUB_REQUESTERS,
    /** Undefined if GitHub is not connected. */
    credentials: toCredentials(values),
  };
}

function toCredentials(values: Values): GithubCredentials | undefined {
  const { GITHUB_APP_ID: appId, GITHUB_APP_PRIVATE_KEY: privateKey, GITHUB_TOKEN: token } = values;
  if (appId !== undefined || privateKey !== undefined) {
    if (appId === undefined)
      throw new SettingsError('GITHUB_APP_ID is missing; GITHUB_APP_PRIVATE_KEY is set');
    if (privateKey === undefined)
      throw new SettingsError('GITHUB_APP_PRIVATE_KEY is missing; GITHUB_APP_ID is set');
    return { kind: 'app', appId, privateKey };
  }
  const repositories = values.GITHUB_REPOSITORIES;
  // Many environments have a GITHUB_TOKEN that is for something else.
  if (token === undefined || repositories.length === 0) return undefined;
  return { kind: 'token', token, repositories };
}

/** In one line, as some tools store it, the line breaks are written as \n. */
function readKey(text: string, context: z.RefinementCtx): string {
  const pem = text.includes('\n') ? text : text.replaceAll('\\n', '\n');
  try {
    createPrivateKey(pem);
  } catch {
    context.addIssue({ code: 'custom', message: 'is not a private key in PEM' });
  }
  return pem;
}

function readNames(text: string, context: z.RefinementCtx): string[] {
  const items = text.split(/[,\s]+/).filter(Boolean);
  return items.flatMap((item) => {
    const name = readRepositoryName(item, defaultUrl);
    if (name === undefined)
      context.addIssue({ code: 'custom', message: `"${item}" is not of the form owner/name` });
    return name ?? [];
  });
}
