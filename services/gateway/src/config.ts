import { listUrlSecrets, readSettings } from '@fettle/settings';
import { z } from 'zod';
import { parseHosts } from './egress/host-list.ts';

const proxy = z
  .url({ protocol: /^https?$/ })
  .optional()
  .describe('an http or https URL, for example http://proxy.example.com:3128');

const settings = {
  FETTLE_EGRESS_HOSTS: z
    .string()
    .default('*')
    .transform(parseHosts)
    .describe('hosts that workers may reach, for example api.anthropic.com,.npmjs.org,git.example.com'),
  HTTP_PROXY: proxy,
  HTTPS_PROXY: proxy,
  NO_PROXY: z.string().default('').transform(parseHosts).describe('hosts that are reached without a proxy'),
  FETTLE_LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
};

export function readConfig(environment: NodeJS.ProcessEnv) {
  const values = readSettings(settings, environment);
  return {
    hosts: values.FETTLE_EGRESS_HOSTS,
    proxy: { http: values.HTTP_PROXY, https: values.HTTPS_PROXY, except: values.NO_PROXY },
    logLevel: values.FETTLE_LOG_LEVEL,
    secrets: [values.HTTP_PROXY, values.HTTPS_PROXY].flatMap(listUrlSecrets),
  };
}
export type Config = ReturnType<typeof readConfig>;
