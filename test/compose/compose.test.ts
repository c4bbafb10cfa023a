/** Fettle on Docker Compose, from the files of the repository, on a real engine. The tests build on each other. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serviceSecrets } from '../../infra/compose/make-secrets.ts';
import { describeWithCompose, restartEngine } from './support/engine.ts';
import {
  type Installation,
  modelKey,
  type Operation,
  openInstallation,
  readCommands,
} from './support/installation.ts';
import { measureZones, readPromisedZones } from './support/zones.ts';

const project = `fettle-test-${process.pid}`;
/** Images of their own, so that they are built from these files. */
const version = `0.1.0-test-${process.pid}`;

describeWithCompose('Fettle on Compose', () => {
  let installation: Installation;
  const created: string[] = [];

  beforeAll(() => {
    installation = openInstallation({ project, version });
  });
  afterAll(() => installation?.remove());

  const services = async () =>
    (await installation.compose('ps', '--all', '--format', '{{.Service}} {{.Name}}'))
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(' ') as [string, string]);

  async function create(count: number): Promise<void> {
    for (let n = 0; n < count; n++)
      created.push((await installation.create(`the sum is wrong, request ${created.length}`)).id);
  }

  /** Every operation ends as a proposal, with one branch each. */
  async function expectProposals(): Promise<void> {
    const found: Operation[] = [];
    for (const id of created) {
      const deadline = Date.now() + 240_000;
      let operation: Operation | undefined;
      while (operation?.outcome == null && Date.now() < deadline) {
        operation = await installation.find(id).catch(() => undefined);
        if (operation?.outcome == null) await delay(1_000);
      }
      found.push(operation as Operation);
    }
    expect(found.map(({ id, outcome }) => ({ id, kind: outcome?.kind }))).toEqual(
      created.map((id) => ({ id, kind: 'proposal' })),
    );
    const branches = found.map(({ outcome }) => outcome?.branch);
    expect(new Set(branches).size).toBe(created.length);
    expect(installation.branches().toSorted()).toEqual(branches.toSorted());
  }

  const up = (...more: string[]) => installation.compose('up', '--detach', '--wait', ...more);

  test('the commands of docs/getting-started.md lead to a first proposal', async () => {
    const output = await installation.follow(readCommands('docs/getting-started.md', '## 6. '));
    expect(output).toContain('+export const add = (a, b) => a + b;');
    expect(output).toMatch(/"id": ?"op_/);
    created.push(...(await installation.list()).map(({ id }) => id));
    expect(created).toHaveLength(2);
    await expectProposals();
  });

  test('README.md shows the same commands', () => {
    const documented = readCommands('docs/getting-started.md', '## 6. ').split('\n');
    const shown = readCommands('README.md', '## With Docker Compose').split('\n');
    expect(shown.filter((line) => !documented.includes(line))).toEqual([]);
  });

  test('fettle works in the images', async () => {
    const doctor = await installation.compose('exec', '-T', 'api', 'fettle', 'doctor');
    expect(doctor).not.toContain('✗');
    expect(await installation.compose('exec', '-T', 'code-worker', 'fettle', 'doctor')).not.toContain('✗');
  });

  test('a secret is in the files of its services, and nowhere else', async () => {
    const { docker, compose } = installation;
    const kept = await docker(
      'run',
      '--rm',
      '--volume',
      `${project}_secrets:/kept:ro`,
      'debian:bookworm-slim',
      'sh',
      '-c',
      'cat /kept/*',
    );
    const secrets = [...kept.split('\n').filter(Boolean), modelKey];
    expect(secrets).toHaveLength(5);
    const containers = await services();
    const inspected = await docker('inspect', ...containers.map(([, name]) => name));
    const images = (await compose('config', '--images'))
      .split('\n')
      .filter((name) => name.startsWith('fettle-'));
    const histories = await Promise.all(
      [...new Set(images)].map((image) => docker('history', '--no-trunc', image)),
    );
    const logs = await compose('logs', '--no-color');
    for (const secret of secrets)
      for (const text of [inspected, logs, ...histories]) expect(text.includes(secret)).toBe(false);

    const read = (service: string, script: string) => compose('exec', '-T', service, 'sh', '-c', script);
    for (const [service] of containers) {
      if (['model', 'secrets', 'sandbox-image'].includes(service)) continue;
      const own = serviceSecrets[service]?.files ?? [];
      const files = own.length === 0 ? '' : await read(service, 'ls /run/secrets');
      expect(files.split('\n').filter(Boolean).toSorted()).toEqual(own.toSorted());
      expect(await read(service, 'cat /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n"')).not.toContain(
        modelKey,
      );
    }
    const modes = await read('api', 'stat -c "%a %U" /run/secrets/*');
    expect(new Set(modes.split('\n').filter(Boolean))).toEqual(new Set(['400 node']));
  });

  test('a service reaches what the zones of docs/security.md say, and nothing else', async () => {
    const promised = readPromisedZones();
    const measured = await measureZones(installation);
    for (const [from, cells] of Object.entries(promised))
      for (const [to, cell] of Object.entries(cells)) if (cell === '') delete promised[from]?.[to];
    expect(measured).toEqual(promised);
  });

  test('images are small', async () => {
    const sizeOf = async (name: string) =>
      Number(
        await installation.docker('image', 'inspect', '--format', '{{.Size}}', `fettle-${name}:${version}`),
      ) / 1e6;
    expect(await sizeOf('api')).toBeLessThan(400);
    expect(await sizeOf('sandbox-broker')).toBeLessThan(300);
    expect(await sizeOf('code-worker')).toBeLessThan(450);
    const unwanted = [
      ...['/app/packages', '/app/services', '-name', '*.test.ts', '-not', '-path', '*/node_modules/*'],
    ];
    const find = (...argv: string[]) =>
      installation.docker('run', '--rm', '--entrypoint', 'find', `fettle-api:${version}`, ...argv);
    expect(await find(...unwanted)).toBe('');
    expect(
      await find(
        '/app/node_modules/.pnpm',
        '-maxdepth',
        '1',
        '-regex',
        '.*/\\(react\\|prisma\\|@electric\\).*',
      ),
    ).toBe('');
  });

  test('a changed source file causes no reinstall', async () => {
    appendFileSync(join(installation.folder, 'services/api/src/main.ts'), '\n// changed\n');
    const output = await installation.shell('docker compose build api 2>&1');
    expect(output).toMatch(/\[(?:api )?dependencies \d+\/\d+\] RUN .*install/);
    const steps = [...output.matchAll(/^#(\d+) \[.*(?:dependencies|client) \d+\/\d+\] RUN/gm)].map(
      ([, step]) => step,
    );
    for (const step of steps) expect(output).toMatch(new RegExp(`^#${step} CACHED$`, 'm'));
  });

  const running = ['postgres', 'redis', 'api', 'entrance', 'sandbox-broker', 'egress', 'code-worker'];

  test('operations survive a kill of each service', async () => {
    await create(3);
    for (const service of running) {
      await installation.compose('kill', service);
      await delay(4_000);
      await installation.compose('start', service);
      await delay(1_000);
    }
    await expectProposals();
  });

  test('operations survive new containers', async () => {
    await create(2);
    await delay(3_000);
    await up('--force-recreate');
    await expectProposals();
  });

  test('operations survive the end of one of three workers', async () => {
    await up('--scale', 'code-worker=3', '--no-recreate');
    await create(4);
    await delay(4_000);
    await installation.docker('kill', `${project}-code-worker-2`);
    await expectProposals();
  });

  test('operations survive a restart of the engine', async () => {
    await create(2);
    await delay(3_000);
    await restartEngine();
    await expectProposals();
  });
});
