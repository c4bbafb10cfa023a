// What can be said about docker-compose.yml and the images without an engine. It is read as text: its own
// formatting is uniform, and the root has no parser for it.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const compose = read('docker-compose.yml');
const services =
  /^services:\n([\s\S]*?)^\S/m
    .exec(compose)?.[1]
    ?.split(/^ {2}(?=\S)/m)
    .filter(Boolean) ?? [];

test('every service has a health check of its own', () => {
  const unchecked = services.filter((service) => {
    const dockerfile = /dockerfile: (\S+)/.exec(service)?.[1];
    return !`${service}${dockerfile ? read(dockerfile) : ''}`.match(/^ {4}healthcheck:|^HEALTHCHECK /m);
  });
  expect(services).toHaveLength(5);
  expect(unchecked).toEqual([]);
});

test('every setting of ours is one that exists', () => {
  const used = [...compose.matchAll(/^ {6}((?:FETTLE|ANTHROPIC|OPENAI|DATABASE|REDIS)_\w+):/gm)].map(
    ([, name]) => name,
  );
  expect(used).toContain('ANTHROPIC_BASE_URL');
  const known = read('docs/settings.md');
  expect(used.filter((name) => !known.includes(`\`${name}\``))).toEqual([]);
});

test.each(['api', 'code-worker', 'sandbox-broker'])('%s reads every setting that it gets', (name) => {
  const files = [
    'packages/sandbox/src/settings.ts',
    ...globSync(`services/${name}/src/**/*config.ts`, { cwd: root }),
  ];
  const schemas = files.map(read).join('\n');
  const service = services.find((each) => each.startsWith(`${name}:`)) ?? '';
  const given = [...service.matchAll(/^ {6}(FETTLE_\w+):/gm)].map(([, setting]) => setting);
  expect(given.length).toBeGreaterThan(3);
  expect(given.filter((setting) => !schemas.includes(`${setting}:`))).toEqual([]);
});

test('secrets and the repositories beside the compose file stay out of images and commits', () => {
  const lines = (path: string) => read(path).split('\n');
  expect(lines('.dockerignore')).toEqual(expect.arrayContaining(['.env*', '.git', 'repositories']));
  expect(lines('.gitignore')).toEqual(expect.arrayContaining(['.env*', '/repositories/']));
});

test('the worker’s image has the gitleaks that it names', () => {
  const image = read('Dockerfile.code-worker');
  expect(image).toMatch(/^RUN FETTLE_HOME=\/fetched node packages\/secrets\/src\/gitleaks\/fetch-main\.ts$/m);
  expect(image).toContain('/fetched/tools/gitleaks /opt/gitleaks');
  expect(image).toContain('FETTLE_GITLEAKS=/opt/gitleaks/bin/gitleaks');
});

const named = (service: string) => /^([\w-]+):/.exec(service)?.[1];
const networksOf = (service: string) => /^ {4}networks: \[(.*)\]$/m.exec(service)?.[1]?.split(', ') ?? [];

test('the database is reached by the api alone', () => {
  const postgres = services.find((service) => service.startsWith('postgres:')) ?? '';
  const beside = services.filter((each) =>
    networksOf(each).some((name) => networksOf(postgres).includes(name)),
  );
  expect(beside.map(named)).toEqual(['postgres', 'api']);
  expect(compose).toMatch(/^ {2}database: \{ internal: true \}$/m);
  expect(compose).toMatch(/^ {2}queue: \{ internal: true \}$/m);
});

test('one service has the engine’s socket, and it has no way out', () => {
  expect(services.filter((service) => service.includes('docker.sock')).map(named)).toEqual([
    'sandbox-broker',
  ]);
  const broker = services.find((service) => service.startsWith('sandbox-broker:')) ?? '';
  expect(broker).toMatch(/^ {4}networks: \[sandboxes\]$/m);
  expect(compose).toMatch(/^ {2}sandboxes: \{ internal: true \}$/m);
});
