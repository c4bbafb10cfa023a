// The list of settings against the services that read them, and against docker-compose.yml, which hands them over.
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { readYaml } from '@fettle/contract/read-yaml';
import { settingList } from '@fettle/settings';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { readConfig as readApi } from '../services/api/src/config.ts';
import { readConfig as readWorker } from '../services/code-worker/src/config/config.ts';
import { readConfig as readGateway } from '../services/gateway/src/config.ts';
import { readConfig as readBroker } from '../services/sandbox-broker/src/config.ts';
import { makeSecrets } from './compose/make-secrets.ts';

type Environment = Record<string, string>;

const sources = {
  api: ['services/api/src/config.ts', 'services/api/src/github-config.ts'],
  'code-worker': [
    'services/code-worker/src/config/config.ts',
    'services/code-worker/src/config/model-config.ts',
    'packages/sandbox/src/settings.ts',
  ],
  'sandbox-broker': ['services/sandbox-broker/src/config.ts'],
  gateway: ['services/gateway/src/config.ts'],
  cli: ['packages/cli/src/config.ts', 'packages/sandbox/src/settings.ts'],
};
const readers = {
  api: readApi,
  'code-worker': readWorker,
  'sandbox-broker': readBroker,
  gateway: readGateway,
};
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

const needs = rows.flatMap(([name, { requiredBy = [] }]) =>
  requiredBy.flatMap((service) => (service === 'cli' ? [] : [{ name, service }])),
);

test.each(needs)('$service does not start without $name', ({ name, service }) => {
  const examples = rows.filter(([, { requiredBy }]) => requiredBy?.includes(service));
  const given: Environment = Object.fromEntries(examples.map(([each, { example }]) => [each, example]));
  const complete = service === 'code-worker' ? { ...given, ANTHROPIC_API_KEY: 'model' } : given;
  expect(() => readers[service](complete)).not.toThrow();
  const { [name]: _, ...rest } = complete;
  expect(() => readers[service](rest)).toThrow(`${name}: is not set`);
});

const composeSchema = z.object({
  services: z.record(
    z.string(),
    z.object({ environment: z.record(z.string(), z.coerce.string()).default({}) }),
  ),
});
const compose = readYaml(read('docker-compose.yml'), composeSchema);

/** The gateway is two services. The entrance has no settings. */
const composeName = (service: string) => (service === 'gateway' ? 'egress' : service);

interface Given {
  environment: Environment;
  /** The folder with the service's secrets. */
  secrets: string;
}

/** What a service gets from Compose: values of `.env`, and secrets of the folder `secrets`, as files. */
function giveTo(service: string, settings: Environment): Given {
  if (!compose.ok) throw new Error(compose.message);
  const folder = mkdtempSync(join(tmpdir(), 'settings-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [given, kept, services] = ['given', 'kept', 'services'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const each of [given, kept]) mkdirSync(each);
  const isSecret = (name: string) => settingList[name]?.isSecret === true;
  for (const [name, value] of Object.entries(settings))
    if (isSecret(name)) writeFileSync(join(given, name), value);
  makeSecrets({ given, ca: join(folder, 'none'), kept, services });
  const secrets = join(services, composeName(service));
  const fill = (text: string): string => {
    // Innermost first: a default can contain another variable.
    const filled = text.replace(/\$\{(\w+)(?::-([^${}]*))?\}/g, (_, name: string, other = '') =>
      isSecret(name) ? other : settings[name] || other,
    );
    return filled === text ? text.replace('/run/secrets', secrets) : fill(filled);
  };
  const entries = Object.entries(compose.value.services[composeName(service)]?.environment ?? {});
  return { environment: Object.fromEntries(entries.map(([name, value]) => [name, fill(value)])), secrets };
}

const configOf = (service: Composed, settings: Environment) =>
  inspect(readers[service](giveTo(service, { ...required, ...settings }).environment), {
    depth: 20,
  }).replaceAll(/settings-\w{6}/g, 'settings');

/** Generated otherwise, and different each time. */
const required = {
  FETTLE_WORKER_KEY: 'k'.repeat(16),
  FETTLE_BROKER_KEY: 'b'.repeat(16),
  DATABASE_URL: 'postgresql://fettle@postgres/fettle',
  REDIS_URL: 'redis://redis',
  ANTHROPIC_API_KEY: 'model',
};

const handedOver = rows.filter(
  ([name, { notInCompose }]) => notInCompose === undefined && name !== 'FETTLE_POLICY_FILE',
);
const cases = handedOver.flatMap(([name, { readBy, example }]) =>
  readBy.flatMap((service) =>
    service === 'cli' || isFixed(name, service) ? [] : [{ name, service, example }],
  ),
);

/** The proxy of a worker is the egress, which uses the operator's. */
function isFixed(name: string, service: string): boolean {
  return service === 'code-worker' && name.endsWith('_PROXY');
}

const makeKey = () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
};
const githubApp = { GITHUB_APP_ID: '1', GITHUB_APP_PRIVATE_KEY: makeKey() };

/** Examples that cannot be written in a list. */
const examples: Environment = { GITHUB_APP_PRIVATE_KEY: makeKey() };

/** What makes a setting valid, or effective. */
const companions: Record<string, Environment> = {
  GITHUB_APP_ID: githubApp,
  GITHUB_APP_PRIVATE_KEY: githubApp,
  GITHUB_TOKEN: { GITHUB_REPOSITORIES: 'acme/shop' },
  GITHUB_REPOSITORIES: { GITHUB_TOKEN: 'a-token' },
  FETTLE_GIT_TOKENS: { FETTLE_GIT_HOSTS: 'git.example.com' },
  FETTLE_REGISTRY_TOKENS: { FETTLE_REGISTRIES: 'npm=https://npm.example.com' },
  OPENAI_API_KEY: { FETTLE_MODEL: 'openai:gpt-5.4', OPENAI_API_KEY: 'x' },
  OPENAI_BASE_URL: { FETTLE_MODEL: 'openai:gpt-5.4', OPENAI_API_KEY: 'x' },
};

test.each(cases)('$name has an effect on $service', ({ name, service, example }) => {
  const beside = companions[name] ?? {};
  const value = examples[name] ?? example;
  expect(configOf(service, { ...beside, [name]: value })).not.toBe(configOf(service, beside));
});

test('FETTLE_POLICY_FILE in .env is read by the worker', () => {
  expect(() => configOf('code-worker', { FETTLE_POLICY_FILE: '/nowhere' })).toThrow('/nowhere');
});

test('a secret reaches only the services that read it, as a file', () => {
  const leaks = rows
    .filter(([, { isSecret, readBy }]) => isSecret && readBy.some((service) => service !== 'cli'))
    .flatMap(([name, { readBy, example }]) =>
      (Object.keys(readers) as Composed[]).flatMap((service) => {
        const { environment, secrets } = giveTo(service, { ...required, [name]: example });
        const files = readdirSync(secrets).filter((file) =>
          readFileSync(join(secrets, file), 'utf8').includes(example),
        );
        const isExpected = readBy.includes(service) && !isFixed(name, service);
        return [
          ...(inspect(environment).includes(example) ? [`${name} in the environment of ${service}`] : []),
          ...(files.join() === (isExpected ? name : '') ? [] : [`${name} in ${service}: ${files}`]),
        ];
      }),
    );
  expect(leaks).toEqual([]);
});
