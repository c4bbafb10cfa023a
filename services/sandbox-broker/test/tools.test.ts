/** Tools in a volume: added once, complete or not at all, and only what the request names. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type SandboxTool, sandboxToolFolder } from '@fettle/contract';
import type { RepositoryRoot } from '@fettle/discovery';
import { createLog } from '@fettle/log';
import { openRegistry, readRegistries } from '@fettle/registry';
import { makeTarball, startTestRegistry } from '@fettle/registry/testing';
import { openBackend, type Sandbox } from '@fettle/sandbox';
import { equipSandbox, openToolchain } from '@fettle/toolchain';
import { expect, onTestFinished, test, vi } from 'vitest';
import { labels } from '../src/sandboxes/labels.ts';
import { connectTestEngine, listToolVolumes, removeToolVolumes } from '../src/testing/on-engine.ts';
import { format, sendRaw, statusOf } from '../src/testing/raw-request.ts';
import { startRecordingProxy } from '../src/testing/recording-proxy.ts';
import { startTestBroker, type TestBroker } from '../src/testing/test-broker.ts';
import { describeWithEngine } from '../src/testing/test-engine.ts';
import { openToolVolumes } from '../src/tools/tool-volumes.ts';

const soon = { timeout: 30_000, interval: 100 };
const place = '/opt/fettle/tools';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tools-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function open(broker: TestBroker): Promise<Sandbox> {
  const backend = await openBackend('docker', { folder: '', searchPath: '', broker });
  const sandbox = await backend.start();
  onTestFinished(() => sandbox.close());
  return sandbox;
}

interface Packed {
  tool: SandboxTool;
  file: string;
  bytes: Buffer;
}

/** A pnpm that prints its version. */
function pack(files: Record<string, string | Buffer> = {}, version = '9.1.0'): Packed {
  return packed(
    makeTarball({
      'package.json': JSON.stringify({ name: 'pnpm', version, bin: { pnpm: 'bin/pnpm.cjs' } }),
      'bin/pnpm.cjs': `#!/bin/sh\necho ${version}\n`,
      ...files,
    }),
    version,
  );
}

function packed(bytes: Buffer, version = '9.1.0'): Packed {
  const file = join(makeFolder(), 'archive.tgz');
  writeFileSync(file, bytes);
  return { tool: { tool: 'pnpm', version, digest: digestOf(bytes) }, file, bytes };
}

const digestOf = (bytes: Buffer) => createHash('sha512').update(bytes).digest('hex');
const add = (sandbox: Sandbox, { tool, file }: Packed) => sandbox.toolStore?.add(tool, file);
const listTools = async (sandbox: Sandbox) => (await sandbox.run({ command: `ls -A ${place}` })).output;

describeWithEngine('a tool in the volume', () => {
  test('is added once, and sandboxes can read it but not change it', async () => {
    const { address, recorded } = await startRecordingProxy(join(makeFolder(), 'engine'));
    const broker = await startTestBroker({ DOCKER_HOST: address });
    const sandboxes = await Promise.all([open(broker), open(broker)]);
    const pnpm = pack();
    await Promise.all(sandboxes.map((sandbox) => add(sandbox, pnpm)));
    expect(recorded.filter(({ path }) => path.includes('create?name=fettle-tool-'))).toHaveLength(1);
    const later = await open(broker);
    for (const sandbox of [...sandboxes, later]) {
      const found = await sandbox.toolStore?.look();
      expect(found?.folders).toEqual([sandboxToolFolder(pnpm.tool)]);
      sandbox.useTools?.(found?.folders ?? []);
      const { output } = await sandbox.run({
        command: 'command -v pnpm; pnpm; node --version; npm --version',
      });
      expect(output).toMatch(new RegExp(`^${place}/pnpm-9.1.0-[0-9a-f]{32}/bin/pnpm\n9.1.0\nv24.*\n11.*\n$`));
      const change = `cd ${place} && for p in x ${sandboxToolFolder(pnpm.tool)}/bin/x; do touch $p; done; rm -rf *`;
      expect((await sandbox.run({ command: change })).output).toContain('Read-only file system');
      expect((await sandbox.run({ command: 'pnpm' })).output).toBe('9.1.0\n');
    }
    await broker.stop('SIGKILL');
    await broker.restart();
    expect(await listTools(await open(broker)), 'of a killed broker').toBe(
      `${sandboxToolFolder(pnpm.tool)}\n`,
    );
  });

  test('a damaged or interrupted archive adds nothing, and a complete one then works', async () => {
    const broker = await startTestBroker();
    const sandbox = await open(broker);
    const whole = pack({
      'data.bin': Buffer.from(Array.from({ length: 300_000 }, () => Math.random() * 256)),
    });
    const damaged = packed(whole.bytes.subarray(0, -1));
    await expect(add(sandbox, { ...damaged, tool: whole.tool })).rejects.toThrow('does not have the digest');
    const path = `/v1/sandboxes/${sandbox.id}/tools/pnpm/9.1.0/${whole.tool.digest}`;
    const headers = { authorization: `Bearer ${broker.key}`, 'content-length': String(whole.bytes.length) };
    const head = format({ method: 'PUT', path, headers });
    for (const interrupt of ['caller', 'broker'] as const) {
      const socket = connect(new URL(broker.url).pathname).on('error', () => {});
      socket.write(Buffer.concat([Buffer.from(head), whole.bytes.subarray(0, whole.bytes.length / 2)]));
      await vi.waitFor(async () => expect(await listTools(sandbox)).toContain('.draft-'), soon);
      if (interrupt === 'broker') await broker.stop('SIGKILL');
      socket.destroy();
      if (interrupt === 'caller')
        await vi.waitFor(async () => expect(await listTools(sandbox)).toBe(''), soon);
    }
    await broker.restart();
    const next = await open(broker);
    expect(await listTools(next)).not.toMatch(/^pnpm/m);
    expect((await next.toolStore?.look())?.folders).toEqual([]);
    await add(next, whole);
    expect((await next.toolStore?.look())?.folders).toEqual([sandboxToolFolder(whole.tool)]);
  });

  test('a full volume is replaced for later sandboxes, and removed when nobody uses it', async () => {
    const broker = await startTestBroker({ FETTLE_SANDBOX_TOOLS_MB: '3', FETTLE_COLLECT_SECONDS: '1' });
    const sandbox = await open(broker);
    const large = (version: string) => pack({ 'data.bin': Buffer.alloc(2_000_000, version) }, version);
    const [first, second] = [large('9.1.0'), large('9.2.0')];
    await add(sandbox, first);
    await expect(add(sandbox, second)).rejects.toThrow('the volume of tools is full');
    expect(await listTools(sandbox)).toBe(`${sandboxToolFolder(first.tool)}\n`);
    const later = await open(broker);
    await add(later, second);
    expect(await listTools(later)).toBe(`${sandboxToolFolder(second.tool)}\n`);
    await expect(add(await open(broker), large('9.3.0'))).rejects.toThrow('full');
    const names = [1, 2, 3].map((number) => `fettle-tools-${broker.name}-${number}`);
    expect(await listToolVolumes(broker.name)).toEqual(names.slice(0, 2));
    await sandbox.close();
    await vi.waitFor(async () => expect(await listToolVolumes(broker.name)).toEqual([names[1]]), soon);
    expect(await listTools(later), 'of a volume in use').toBe(`${sandboxToolFolder(second.tool)}\n`);
  });

  test('a full disk is reported, and nothing of the tool stays', async () => {
    const broker = await startTestBroker();
    await connectTestEngine().createVolume({
      Name: `fettle-tools-${broker.name}-1`,
      Driver: 'local',
      DriverOpts: { type: 'tmpfs', device: 'tmpfs', o: 'size=1m' },
      Labels: { [labels.tools]: broker.name },
    });
    const sandbox = await open(broker);
    const large = pack({ 'data.bin': Buffer.alloc(4_000_000, 'x') });
    await expect(add(sandbox, large)).rejects.toThrow('Wrote only');
    expect(await listTools(sandbox)).toBe('');
  });
});

const { signal } = new AbortController();

function rootOf(files: Record<string, string>): RepositoryRoot {
  return {
    has: (name) => files[name] !== undefined,
    read: async (name) => (files[name] === undefined ? undefined : { text: files[name] }),
    paths: async () => Object.keys(files),
  };
}

describeWithEngine('volumes with tools', () => {
  test('are renewed after a month, and those of other brokers are removed after three', async () => {
    const engine = connectTestEngine();
    const [mine, theirs] = [randomUUID(), randomUUID()];
    onTestFinished(async () => {
      for (const name of [mine, theirs]) await removeToolVolumes(name);
    });
    const create = (owner: string) =>
      engine.createVolume({ Name: `fettle-tools-${owner}-3`, Labels: { [labels.tools]: owner } });
    for (const owner of [mine, theirs]) await create(owner);
    const log = createLog('test', 'silent', (text) => text);
    let days = 0;
    const now = () => Date.now() + days * 24 * 3_600_000;
    // Volumes of others on this engine must not be looked at with a clock that is wrong.
    const listVolumes: typeof engine.listVolumes = async (options: object) => {
      const found = await engine.listVolumes(options);
      return {
        ...found,
        Volumes: found.Volumes.filter(({ Name }) => Name.includes(mine) || Name.includes(theirs)),
      };
    };
    const watched = Object.assign(Object.create(engine), { listVolumes });
    const volumes = await openToolVolumes({ engine: watched, identity: mine, log, now });
    const exist = async () =>
      [await listToolVolumes(mine), await listToolVolumes(theirs)].map((all) => all.length);
    for (const [age, current, left] of [
      [29, 3, [1, 1]],
      [31, 4, [0, 1]],
      [91, 4, [0, 0]],
    ] as const) {
      days = age;
      await volumes.collect();
      expect([volumes.current(), await exist()]).toEqual([`fettle-tools-${mine}-${current}`, left]);
    }
  });
});

describeWithEngine('the tools that a repository names', () => {
  test('come first in its sandbox, and are downloaded once', async () => {
    const server = await startTestRegistry();
    onTestFinished(() => server.close());
    const script = (text: string) => `#!/bin/sh\necho ${text}\n`;
    const [node, pnpm] = [`node-linux-${process.arch}`, 'pnpm'];
    server.publish({ name: node, version: '18.20.0', files: { 'bin/node': script('v18.20.0') } });
    server.publish({ name: pnpm, version: '9.1.0', bin: { pnpm: 'p' }, files: { p: script('9.1.0') } });
    server.publish({ name: 'npm', version: '10.8.0', bin: { npm: 'n' }, files: { n: script('10.8.0') } });
    const home = makeFolder();
    const allowed = readRegistries({ registries: `npm=${server.url}`, tokens: undefined });
    const rest = { allowed, maxBytes: 1e9, proxy: {}, npmEnvironment: {} };
    const openAt = (cache: string) =>
      openToolchain(home, openRegistry({ ...rest, folder: join(home, cache) }));
    const broker = await startTestBroker();
    const toolchain = openAt('cache');
    const root = rootOf({ '.nvmrc': '18', 'package.json': '{"packageManager":"pnpm@9.1.0"}' });
    for (const requests of [6, 0]) {
      server.forget();
      const sandbox = await open(broker);
      const { tools, problems } = await equipSandbox(toolchain, sandbox, { root, signal });
      expect([problems, tools.map(({ tool, version }) => `${tool} ${version}`)]).toEqual([
        [],
        ['node 18.20.0', 'pnpm 9.1.0', 'npm 10.8.0'],
      ]);
      const { output } = await sandbox.run({
        command: 'node --version; pnpm --version; npm --version; git --version',
      });
      expect(output).toMatch(/^v18.20.0\n9.1.0\n10.8.0\ngit version /);
      expect(server.requests().length).toBeLessThanOrEqual(requests);
    }
    // Another volume, as after a renewal, gets the same archives again.
    const other = await open(await startTestBroker());
    expect((await equipSandbox(toolchain, other, { root, signal })).problems).toEqual([]);
    server.publish({ name: pnpm, version: '9.1.0', bin: { pnpm: 'p' }, files: { p: script('hostile') } });
    const changed = await equipSandbox(openAt('other'), await open(await startTestBroker()), {
      root,
      signal,
    });
    expect(changed.problems).toEqual([expect.stringContaining('another digest for pnpm@9.1.0 than before')]);
  });
});

describeWithEngine('a hostile request for a tool', () => {
  test('starts no container, whatever it names', async () => {
    const { address, recorded } = await startRecordingProxy(join(makeFolder(), 'engine'));
    const broker = await startTestBroker({ DOCKER_HOST: address });
    const { id } = await open(broker);
    const digest = 'a'.repeat(128);
    const before = recorded.length;
    const paths = [
      ...[
        'sh',
        'docker',
        'node;id',
        '..',
        '%2e%2e',
        'node%2f..',
        '__proto__',
        'constructor',
        'NODE',
        '$(id)',
      ].map((tool) => `${tool}/1.0.0/${digest}`),
      ...[
        'latest',
        '^1',
        '1',
        '1.0',
        '01.0.0',
        '1.0.0+x',
        '1.0.0-',
        '1.0.0-a..b',
        '1.0.0%2f..',
        '..',
        '1.0.0%00',
      ].map((version) => `node/${version}/${digest}`),
      ...['1.0.0%0a', '1.0.0;id', '1.0.0$(id)', '1.0.0%20-v', `1.0.${'9'.repeat(80)}`].map(
        (version) => `node/${version}/${digest}`,
      ),
      ...['', 'A'.repeat(128), 'a'.repeat(127), `${'a'.repeat(126)}%2f`, '..', '*'].map(
        (other) => `node/1.0.0/${other}`,
      ),
      ...[`node/1.0.0/${digest}/more`, `../../containers/create`, `node/1.0.0`, `node/${digest}`],
    ];
    for (const path of paths) {
      const headers = { authorization: `Bearer ${broker.key}`, 'content-length': '2' };
      const request = { method: 'PUT', path: `/v1/sandboxes/${id}/tools/${path}`, headers, body: '{}' };
      expect([path, statusOf(await sendRaw(broker, format(request)))]).toEqual([
        path,
        expect.toBeOneOf([400, 404]),
      ]);
    }
    const good = `/v1/sandboxes/${id}/tools/node/1.0.0/${digest}`;
    const refusals: [Record<string, string>, number][] = [
      [{ 'transfer-encoding': 'chunked' }, 400],
      [{}, 400],
      [{ 'content-length': String(2 ** 40) }, 413],
      [{ 'content-length': '2', authorization: 'Bearer wrong' }, 401],
    ];
    for (const [headers, status] of refusals) {
      const request = {
        method: 'PUT',
        path: good,
        headers: { authorization: `Bearer ${broker.key}`, ...headers },
      };
      expect(statusOf(await sendRaw(broker, format(request), { until: 'answer' }))).toBe(status);
    }
    expect(recorded.slice(before).filter(({ path }) => path.startsWith('/containers/create'))).toEqual([]);
  });

  test.each([
    ['a link', { type: '2', link: '/etc/passwd' }],
    ['a link to another tool', { type: '1', link: 'package/../../../../pnpm' }],
    ['a hard link', { type: '1', link: 'package/package.json' }],
    ['a device', { type: '3' }],
  ])('an archive with %s is not added', async (_what, entry) => {
    const broker = await startTestBroker();
    const sandbox = await open(broker);
    const archive = packed(
      makeTarball({ 'package.json': '{"bin":{"pnpm":"x"}}', x: '#!/bin/sh\n' }, [entry]),
    );
    await expect(add(sandbox, archive)).rejects.toThrow('could not be unpacked');
    expect(await listTools(sandbox)).toBe('');
  });

  test('an archive cannot name a program outside of its own folder, or be another tool', async () => {
    const broker = await startTestBroker();
    const sandbox = await open(broker);
    const bin = {
      pnpm: 'bin/pnpm.cjs',
      sh: '../../../../bin/sh',
      '../up': 'bin/pnpm.cjs',
      '..': 'bin/pnpm.cjs',
    };
    const hostile = pack({ 'package.json': JSON.stringify({ bin: { ...bin, abs: '/bin/sh' } }) });
    await add(sandbox, hostile);
    const folder = `${place}/${sandboxToolFolder(hostile.tool)}`;
    expect((await sandbox.run({ command: `ls ${folder}/bin; ls ${place}` })).output).toBe(
      `pnpm\n${sandboxToolFolder(hostile.tool)}\n`,
    );
    // Who asks for the digest that the registry lists gets another folder.
    const genuine = pack();
    await add(sandbox, genuine);
    expect((await sandbox.toolStore?.look())?.folders.sort()).toEqual(
      [hostile, genuine].map(({ tool }) => sandboxToolFolder(tool)).sort(),
    );
    await expect(add(sandbox, packed(gzipSync(Buffer.from('not a tar'))))).rejects.toThrow('unpacked');
  });
});
