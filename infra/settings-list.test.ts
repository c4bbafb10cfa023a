// The list of settings against the services that read them, and against docker-compose.yml, which hands them over.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { readYaml } from '@fettle/contract/read-yaml';
import { settingList } from '@fettle/settings';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readConfig as readApi } from '../services/api/src/config.ts';
import { readConfig as readWorker } from '../services/code-worker/src/config/config.ts';
import { readConfig as readBroker } from '../services/sandbox-broker/src/config.ts';

type Environment = Record<string, string>;

const sources = {
  api: ['services/api/src/config.ts', 'services/api/src/github-config.ts'],
  'code-worker': [
    'services/code-worker/src/config/config.ts',
    'services/code-worker/src/config/model-config.ts',
    'packages/sandbox/src/settings.ts',
  ],
  'sandbox-broker': ['services/sandbox-broker/src/config.ts'],
  cli: ['packages/cli/src/config.ts', 'packages/sandbox/src/settings.ts'],
};
const readers = { api: readApi, 'code-worker': readWorker, 'sandbox-broker': readBroker };
type Composed = keyof typeof readers;

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const rows = Object.entries(settingList);

test.each(Object.entries(sources))('the list has the settings of %s, and no others', (service, files) => {
  const schemas = files.flatMap((file) => [
    ...read(file).matchAll(/^ {2}([A-Z]+_[A-Z_]+):(?! (?:number|string)\b)/gm),
  ]);
  const names = schemas.flatMap(([, name]) => name ?? []);
  const listed = rows
    .filter(([, { readBy }]) => (readBy as string[]).includes(service))
    .map(([name]) => name);
  expect(listed.toSorted()).toEqual([...new Set(names)].toSorted());
});

const composeSchema = z.object({
  services: z.record(
    z.string(),
    z.object({ environment: z.record(z.string(), z.coerce.string()).default({}) }),
  ),
});
const compose = readYaml(read('docker-compose.yml'), composeSchema);

/** The environment of a service, as Compose makes it from `.env`. */
function environmentOf(service: string, dotEnv: Environment): Environment {
  if (!compose.ok) throw new Error(compose.message);
  const given = compose.value.services[service]?.environment ?? {};
  const fill = (text: string) =>
    text.replace(/\$\{(\w+)(?::[-?]([^}]*))?\}/g, (whole, name: string, other = '') =>
      whole.includes(':?') ? (dotEnv[name] ?? 'missing') : dotEnv[name] || other,
    );
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, fill(value)]));
}

const required = {
  POSTGRES_PASSWORD: 'password',
  FETTLE_WORKER_KEY: 'k'.repeat(16),
  FETTLE_BROKER_KEY: 'b'.repeat(16),
  ANTHROPIC_API_KEY: 'model',
};
const configOf = (service: Composed, dotEnv: Environment) =>
  inspect(readers[service](environmentOf(service, { ...required, ...dotEnv })), { depth: 20 });

const handedOver = rows.filter(
  ([name, { notInCompose }]) => notInCompose === undefined && name !== 'FETTLE_POLICY_FILE',
);
const cases = handedOver.flatMap(([name, { readBy, example }]) =>
  readBy.flatMap((service) => (service === 'cli' ? [] : [{ name, service, example }])),
);

/** What makes a setting valid, or effective. */
const companions: Record<string, Environment> = {
  GITHUB_TOKEN: { GITHUB_REPOSITORIES: 'acme/shop' },
  GITHUB_REPOSITORIES: { GITHUB_TOKEN: 'a-token' },

  FETTLE_GIT_TOKENS: { FETTLE_GIT_HOSTS: 'git.example.com' },
  FETTLE_REGISTRY_TOKENS: { FETTLE_REGISTRIES: 'npm=https://npm.example.com' },
  OPENAI_API_KEY: { FETTLE_MODEL: 'openai:gpt-5.4', OPENAI_API_KEY: 'x' },
  OPENAI_BASE_URL: { FETTLE_MODEL: 'openai:gpt-5.4', OPENAI_API_KEY: 'x' },
};

test.each(cases)('$name in .env has an effect on $service', ({ name, service, example }) => {
  const beside = companions[name] ?? {};
  expect(configOf(service, { ...beside, [name]: example })).not.toBe(configOf(service, beside));
});

test('FETTLE_POLICY_FILE in .env is read by the worker', () => {
  expect(() => configOf('code-worker', { FETTLE_POLICY_FILE: '/nowhere' })).toThrow('/nowhere');
});

test('a secret reaches only the services that read it', () => {
  const leaks = rows
    .filter(([, { isSecret }]) => isSecret)
    .flatMap(([name, { readBy, example }]) =>
      (Object.keys(readers) as Composed[])
        .filter((service) => !readBy.includes(service))
        .filter((service) =>
          inspect(environmentOf(service, { ...required, [name]: example })).includes(example),
        )
        .map((service) => `${name} in ${service}`),
    );
  expect(leaks).toEqual([]);
});
