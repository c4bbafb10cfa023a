import { sandboxListSchema } from '@fettle/contract';
import { openBackend, readDiskLimit, startDockerToolbox } from '@fettle/sandbox';
import { expect, test, vi } from 'vitest';
import { labels } from '../src/sandboxes/labels.ts';
import { connectTestEngine, listOnEngine } from '../src/testing/on-engine.ts';
import { format, type RawRequest, sendRaw, statusOf } from '../src/testing/raw-request.ts';
import { openTestSandbox, startTestBroker, type TestBroker } from '../src/testing/test-broker.ts';
import { describeWithEngine } from '../src/testing/test-engine.ts';

const noId = '00000000-0000-4000-8000-000000000000';

async function ask(broker: TestBroker, request: RawRequest): Promise<{ status: number; body: unknown }> {
  const headers = { authorization: `Bearer ${broker.key}`, ...request.headers };
  const answer = await sendRaw(broker, format({ ...request, headers }));
  const text = answer.slice(answer.indexOf('\r\n\r\n') + 4);
  return { status: statusOf(answer), body: text === '' ? undefined : JSON.parse(text) };
}

async function nameOfOnly(broker: TestBroker): Promise<string> {
  const [container = ''] = (await listOnEngine(broker.name)).containers;
  return (await connectTestEngine().getContainer(container).inspect()).Name;
}

async function list(broker: TestBroker) {
  const { body } = await ask(broker, { method: 'GET', path: '/v1/sandboxes' });
  return sandboxListSchema.parse(body).sandboxes;
}

describeWithEngine('a sandbox through the broker', () => {
  test('runs commands as an unprivileged user without capabilities, and is removed afterwards', async () => {
    const broker = await startTestBroker();
    const toolbox = await startDockerToolbox({ broker, operationId: 'op-1', owner: 'worker-1' });
    toolbox.input.on('error', () => {});
    expect(await list(broker)).toMatchObject([{ operation: 'op-1', owner: 'worker-1' }]);
    await vi.waitFor(
      async () => expect(await toolbox.usage?.()).toMatchObject({ pids: expect.any(Number) }),
      10_000,
    );
    expect(await readDiskLimit(broker)).toMatch(/^(hard|soft)$/);
    await toolbox.stop({ graceMs: 0 });
    expect(await toolbox.usage?.()).toMatchObject({ cpuMs: expect.any(Number) });
    expect((await toolbox.usage?.())?.memoryPeakBytes).toBeGreaterThan(1_000_000);
    expect(await list(broker)).toEqual([]);
    expect(await listOnEngine(broker.name)).toEqual({ containers: [], volumes: [] });

    const sandbox = await openTestSandbox(broker);
    const { output } = await sandbox.run({
      command: 'id -u; id -u "$(whoami)"; id -g; grep -E "^(Cap|NoNewPrivs|Seccomp:)" /proc/self/status',
    });
    const [user, same, ...rest] = output.split('\n').map((line) => line.replaceAll(/\s+/g, ' '));
    expect(Number(user)).toBeGreaterThan(60_600);
    expect(same, 'who has its name').toBe(user);
    expect(rest).toEqual([
      ...['1001', 'CapInh: 0000000000000000', 'CapPrm: 0000000000000000', 'CapEff: 0000000000000000'],
      ...['CapBnd: 0000000000000000', 'CapAmb: 0000000000000000', 'NoNewPrivs: 1', 'Seccomp: 2', ''],
    ]);
  });

  test('the operation is in its name and label; a spare sandbox gets the name when it is taken', async () => {
    const broker = await startTestBroker();
    const { id = '', ...named } = await startDockerToolbox({ broker, operationId: 'op-1' });
    const [container = ''] = (await listOnEngine(broker.name)).containers;
    const { Config } = await connectTestEngine().getContainer(container).inspect();
    expect(Config.Labels).toMatchObject({ [labels.operation]: 'op-1', [labels.sandbox]: id });
    expect(await nameOfOnly(broker)).toBe(`/fettle-op-1-${id}`);
    await named.stop({ graceMs: 0 });

    const backend = await openBackend('docker', { folder: '', searchPath: '', broker });
    const spare = await backend.start();
    expect(await nameOfOnly(broker)).toBe(`/fettle-spare-${spare.id}`);
    await spare.assign('op-2');
    expect(await nameOfOnly(broker)).toBe(`/fettle-op-2-${spare.id}`);
    expect(await list(broker)).toMatchObject([{ id: spare.id, operation: 'op-2' }]);
    await expect(spare.assign('op-3')).rejects.toThrow('the sandbox belongs to another operation');
    await spare.close();
    const started = await backend.start({ operationId: 'op-4' });
    expect(await list(broker)).toMatchObject([{ id: started.id, operation: 'op-4' }]);
    await started.close();
  });

  test('a toolbox that dies reports the reason', async () => {
    const broker = await startTestBroker();
    const toolbox = await startDockerToolbox({ broker });
    const ended = new Promise((resolve) => toolbox.output.on('end', resolve).resume());
    // A frame that is too long makes the toolbox exit.
    toolbox.input.write(Buffer.alloc(64, 0xff));
    await ended;
    expect(toolbox.errorOutput()).toBe('the toolbox ended with 0');
    await toolbox.stop({ graceMs: 0 });
  });

  test('passes on the rest of the output after the caller has ended its side', async () => {
    const broker = await startTestBroker();
    const toolbox = await startDockerToolbox({ broker });
    const chunks: Buffer[] = [];
    toolbox.output.on('data', (chunk: Buffer) => chunks.push(chunk));
    const ended = new Promise((resolve) => toolbox.output.once('end', resolve));
    toolbox.input.end();
    await ended;
    expect(Buffer.concat(chunks).toString('latin1')).toContain('"protocol":3');
    expect(await listOnEngine(broker.name)).toEqual({ containers: [], volumes: [] });
  });

  test('ends a sandbox that has expired', async () => {
    const broker = await startTestBroker({ FETTLE_SANDBOX_SECONDS: '3' });
    const sandbox = await openTestSandbox(broker);
    await expect(sandbox.run({ command: 'sleep 60' })).rejects.toThrow('its time limit was reached');
  });

  test('ends a sandbox that uses too much disk', async () => {
    const broker = await startTestBroker({ FETTLE_SANDBOX_DISK_MB: '50' });
    const sandbox = await openTestSandbox(broker);
    const one = await sandbox.run({ command: 'head -c 60000000 /dev/zero >one' });
    expect(one.exitCode).not.toBe(0);
    const fill = 'for n in 1 2 3; do head -c 30000000 /dev/zero >$n; done; sleep 120';
    const error = await sandbox.run({ command: fill }).then(
      ({ output }) => new Error(output),
      (reason) => reason,
    );
    // With quotas the command fails, without them the sandbox is ended.
    expect(error.message).toMatch(/it exceeded its disk limit|quota|No space/);
  });

  test('limits memory, and the toolbox survives', async () => {
    const broker = await startTestBroker({ FETTLE_SANDBOX_MEMORY_MB: '256' });
    const sandbox = await openTestSandbox(broker);
    const hog = 'const all = []; for (;;) all.push(Buffer.alloc(1e7, 1));';
    const killed = await sandbox.run({ argv: ['node', '-e', hog] });
    expect(killed).toMatchObject({ signal: 'SIGKILL', exitCode: null, outOfMemory: true });
    // Workers of a test runner are killed, and the runner itself fails.
    const inside = await sandbox.run({ command: `node -e '${hog}'; exit 1` });
    expect(inside).toMatchObject({ exitCode: 1, outOfMemory: true });
    expect(await sandbox.run({ command: 'false' })).toMatchObject({ exitCode: 1, outOfMemory: false });
    const seen = "process.constrainedMemory() / 2 ** 20 + ' ' + os.availableParallelism()";
    expect((await sandbox.run({ argv: ['node', '-p', seen] })).output).toBe('256 1\n');
    expect((await sandbox.run({ argv: ['echo', 'alive'] })).output).toBe('alive\n');
  });

  test('limits processes', async () => {
    const broker = await startTestBroker({ FETTLE_SANDBOX_PIDS: '64' });
    const sandbox = await openTestSandbox(broker);
    const { output } = await sandbox.run({
      command: 'for n in $(seq 100); do sleep 30 & done; wait',
      timeoutMs: 20_000,
    });
    expect(output).toMatch(/cannot fork|Resource temporarily unavailable/i);
    expect((await sandbox.run({ argv: ['echo', 'alive'] })).output).toBe('alive\n');
  });

  test('only its own folder and /tmp are writable', async () => {
    const broker = await startTestBroker();
    const sandbox = await openTestSandbox(broker);
    const { output } = await sandbox.run({
      command:
        'find / -xdev -type d -writable 2>/dev/null | sort; find / -perm /6000 -type f 2>/dev/null; touch /x',
    });
    expect(output).toBe("/sandbox\n/tmp\ntouch: cannot touch '/x': Read-only file system\n");
  });
});

describeWithEngine('requests', () => {
  test('without the key only /healthz answers', async () => {
    const broker = await startTestBroker();
    const paths = ['/v1/sandboxes', `/v1/sandboxes/${noId}/usage`, `/v1/sandboxes/${noId}`, '/', '/nothing'];
    for (const authorization of ['', 'Bearer ', `Bearer ${broker.key}x`, `Basic ${broker.key}`, broker.key]) {
      for (const path of paths) {
        expect(await ask(broker, { method: 'GET', path, headers: { authorization } })).toMatchObject({
          status: 401,
        });
      }
      const upgrade = { authorization, connection: 'Upgrade', upgrade: 'fettle-toolbox' };
      expect(await ask(broker, { method: 'POST', path: '/v1/sandboxes', headers: upgrade })).toMatchObject({
        status: 401,
      });
    }
    expect(await ask(broker, { method: 'GET', path: '/healthz', headers: { authorization: '' } })).toEqual({
      status: 200,
      body: { ok: true },
    });
  });

  test('refuses unknown requests', async () => {
    const broker = await startTestBroker();
    const upgrade = { connection: 'Upgrade', upgrade: 'fettle-toolbox' };
    const start = (query: string): RawRequest => ({
      method: 'POST',
      path: `/v1/sandboxes?${query}`,
      headers: upgrade,
    });
    const body = { headers: { 'content-length': '2' }, body: '{}' };
    const cases: [RawRequest, number][] = [
      [{ method: 'POST', path: '/v1/sandboxes' }, 404],
      [{ ...start(''), headers: { ...upgrade, upgrade: 'tcp' } }, 404],
      [{ ...start(''), method: 'GET' }, 404],
      [start('privileged=true'), 400],
      [start('image=debian%3Abookworm-slim'), 403],
      [start('image=a&image=b'), 400],
      [start('operation=a%20b'), 400],
      [{ ...start(''), headers: { ...upgrade, 'content-length': '2' }, body: '{}' }, 400],
      [{ method: 'GET', path: '/v1/sandboxes', ...body }, 400],
      [{ method: 'DELETE', path: `/v1/sandboxes/${noId}` }, 404],
      [{ method: 'GET', path: `/v1/sandboxes/${noId}/usage` }, 404],
      [{ method: 'PUT', path: '/v1/sandboxes' }, 404],
      [{ method: 'PUT', path: `/v1/sandboxes/${noId}/operation/op-1` }, 404],
      [{ method: 'GET', path: `/v1/sandboxes/${noId}/operation/op-1` }, 404],
      [{ method: 'GET', path: '/containers/json' }, 404],
    ];
    for (const [request, status] of cases) {
      expect({ request, status: (await ask(broker, request)).status }).toEqual({ request, status });
    }
  });

  test('limits the number of sandboxes', async () => {
    const broker = await startTestBroker({ FETTLE_MAX_SANDBOXES: '2' });
    const first = await startDockerToolbox({ broker });
    const second = await startDockerToolbox({ broker });
    await expect(startDockerToolbox({ broker })).rejects.toMatchObject({
      code: 'no_place',
      message: expect.stringContaining('all 2 sandboxes are in use (FETTLE_MAX_SANDBOXES)'),
    });
    await first.stop({ graceMs: 0 });
    const third = await startDockerToolbox({ broker });
    await Promise.all([second, third].map((each) => each.stop({ graceMs: 0 })));
  });
});

describeWithEngine('the start of the broker', () => {
  test('exits if the engine does not know the runtime', async () => {
    await expect(startTestBroker({ FETTLE_SANDBOX_RUNTIME: 'unheard-of' })).rejects.toThrow(
      /ended with 2: FETTLE_SANDBOX_RUNTIME: the engine does not know this runtime \(known: .*runc/,
    );
  });

  test('uses a known runtime', async () => {
    const broker = await startTestBroker({ FETTLE_SANDBOX_RUNTIME: 'runc' });
    const toolbox = await startDockerToolbox({ broker });
    const [id = ''] = (await listOnEngine(broker.name)).containers;
    const { HostConfig } = await connectTestEngine().getContainer(id).inspect();
    expect(HostConfig.Runtime).toBe('runc');
    await toolbox.stop({ graceMs: 0 });
  });

  test('a runtime with its own kernel runs a working sandbox', async ({ skip }) => {
    const { Runtimes = {} } = await connectTestEngine().info();
    skip(!('runsc' in Runtimes), 'the engine does not know runsc (gVisor)');
    const broker = await startTestBroker({ FETTLE_SANDBOX_RUNTIME: 'runsc' });
    const sandbox = await openTestSandbox(broker);
    await sandbox.writeFile('a.txt', Buffer.from('a\n'));
    const { exitCode, output } = await sandbox.run({ command: 'cat a.txt && dmesg', timeoutMs: 60_000 });
    expect({ exitCode, output }).toEqual({
      exitCode: 0,
      output: expect.stringMatching(/^a\n.*Starting gVisor/),
    });
  });

  test('names a missing image when it is requested', async () => {
    const broker = await startTestBroker({ FETTLE_SANDBOX_IMAGES: 'fettle-nothing:1' });
    await expect(startDockerToolbox({ broker })).rejects.toThrow(
      'the engine does not have the image fettle-nothing:1',
    );
  });

  test('a second broker at the same address changes nothing', async () => {
    const broker = await startTestBroker();
    const toolbox = await startDockerToolbox({ broker });
    await expect(broker.restart()).rejects.toThrow('FETTLE_BROKER_SOCKET: cannot listen on it: EADDRINUSE');
    expect((await listOnEngine(broker.name)).containers).toHaveLength(1);
    await toolbox.stop({ graceMs: 0 });
  });
});
