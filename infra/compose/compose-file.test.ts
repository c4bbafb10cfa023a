// What can be said about docker-compose.yml and the images without an engine. test/compose starts them on one.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readYaml } from '@fettle/contract/read-yaml';
import { settingList } from '@fettle/settings';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { serviceSecrets } from './make-secrets.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Our reader of YAML does not merge `<<`. */
const merge = (given: unknown) => ({ ...(given as Record<string, object>)['<<'], ...(given as object) });
const serviceSchema = z.looseObject({
  image: z.string(),
  build: z.object({ dockerfile: z.string() }).optional(),
  user: z.string().optional(),
  command: z.unknown().optional(),
  restart: z.string(),
  healthcheck: z.unknown().optional(),
  environment: z.record(z.string(), z.unknown()).default({}),
  networks: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
});
const composeSchema = z.looseObject({
  services: z.record(z.string(), z.preprocess(merge, serviceSchema)),
  networks: z.record(z.string(), z.looseObject({ internal: z.boolean().optional() }).nullable()),
});
const text = read('docker-compose.yml');
const parsed = readYaml(text, composeSchema);
if (!parsed.ok) throw new Error(parsed.message);
const { services, networks } = parsed.value;
const entries = Object.entries(services);
const staying = entries.filter(([, { restart }]) => restart !== 'no');
const names = (found: [string, unknown][]) => found.map(([name]) => name);

test('every service is limited, locked down and checked', () => {
  for (const [name, service] of entries) {
    expect({ name, ...service }).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      pids_limit: expect.any(Number),
      mem_limit: expect.any(String),
      cpus: expect.any(String),
      logging: { driver: 'json-file', options: { 'max-size': '10m', 'max-file': '3' } },
    });
    expect(service).not.toHaveProperty('pid');
    expect(service).not.toHaveProperty('privileged');
  }
  expect(names(entries.filter(([, service]) => 'cap_add' in service))).toEqual(['secrets']);
  const isChecked = ({ build, healthcheck }: (typeof services)[string]) =>
    healthcheck !== undefined || read(build?.dockerfile ?? 'docker-compose.yml').includes('\nHEALTHCHECK ');
  expect(names(staying.filter(([, service]) => !isChecked(service)))).toEqual([]);
});

test('our images have the version of the release', () => {
  const { version } = JSON.parse(read('package.json'));
  const ours = entries.map(([, { image }]) => image).filter((image) => image.startsWith('fettle-'));
  expect(ours).toHaveLength(7);
  for (const image of ours) expect(image).toMatch(new RegExp(`:\\$\\{FETTLE_VERSION:-${version}\\}$`));
});

test('a secret of the environment comes from a file that its service gets', () => {
  for (const [service, { environment }] of entries) {
    for (const [name, value] of Object.entries(environment)) {
      if (settingList[name]?.isSecret && !/^http:\/\/egress:/.test(String(value)))
        throw new Error(`${name} of ${service} is not a file`);
      const file = /^\/run\/secrets\/(.*)$/.exec(String(value))?.[1];
      if (file !== undefined) expect(serviceSecrets[service]?.files).toContain(file);
    }
  }
  expect(text).not.toContain(':?');
});

test('a service has the volume with its own secrets, and no other', () => {
  for (const [name, { volumes }] of entries) {
    if (name === 'secrets') continue;
    const own = volumes.filter((volume) => volume.includes('secrets'));
    expect(own).toEqual(serviceSecrets[name] === undefined ? [] : [`${name}-secrets:/run/secrets:ro`]);
  }
});

const neighbours = (network: string) =>
  names(entries.filter(([, service]) => service.networks.includes(network)));

test('networks connect what has to be connected', () => {
  expect(Object.fromEntries(Object.keys(networks).map((name) => [name, neighbours(name)]))).toEqual({
    database: ['postgres', 'api'],
    queue: ['redis', 'api', 'code-worker'],
    front: ['api', 'entrance'],
    sandboxes: ['sandbox-broker', 'code-worker'],
    egress: ['egress', 'code-worker'],
    published: ['entrance'],
    outside: ['egress'],
  });
  const open = Object.entries(networks).filter(([, network]) => !network?.internal);
  expect(names(open)).toEqual(['published', 'outside']);
});

test('one service has the engine’s socket, and it has no way out', () => {
  const holders = entries.filter(([, { volumes }]) =>
    volumes.some((volume) => volume.includes('docker.sock')),
  );
  expect(names(holders)).toEqual(['sandbox-broker']);
  expect(holders[0]?.[1].networks).toEqual(['sandboxes']);
});

test('secrets and the repositories beside the compose file stay out of images and commits', () => {
  const lines = (path: string) => read(path).split('\n');
  expect(lines('.dockerignore')).toEqual(
    expect.arrayContaining(['**/.env*', '.git', 'repositories', 'secrets']),
  );
  expect(lines('.gitignore')).toEqual(expect.arrayContaining(['.env*', '/repositories/', '/secrets/']));
});

test('the worker’s image has the gitleaks that it names', () => {
  const image = read('Dockerfile.code-worker');
  expect(image).toMatch(/^RUN FETTLE_HOME=\/fetched node packages\/secrets\/src\/gitleaks\/fetch-main\.ts$/m);
  expect(image).toContain('/fetched/tools/gitleaks /opt/gitleaks');
  expect(image).toContain('FETTLE_GITLEAKS=/opt/gitleaks/bin/gitleaks');
});
