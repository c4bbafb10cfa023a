/** The real pip in a sandbox, against an index of the test's own. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startSandbox } from '@fettle/sandbox';
import { expect, onTestFinished, test } from 'vitest';
import { createDiskCache } from '../../packages/registry/src/cache/disk-cache.ts';
import { pypi } from '../../packages/registry/src/ecosystems/pypi.ts';
import { isIntegrityFailure, withInstallWindow } from '../../packages/registry/src/install-window.ts';
import { createRegistry } from '../../packages/registry/src/registry.ts';
import { createUpstream } from '../../packages/registry/src/upstream/upstream.ts';
import { openFolder } from '../support/lifetime.ts';

const hasPip = spawnSync('python3', ['-m', 'pip', '--version']).status === 0;
const file = 'fettle_t_wheel-1.0.0-py3-none-any.whl';

const makeWheel = `
import sys, zipfile
info = 'fettle_t_wheel-1.0.0.dist-info/'
with zipfile.ZipFile(sys.argv[1], 'w') as wheel:
    wheel.writestr('fettle_t_wheel.py', 'answer = 42\\n')
    wheel.writestr(info + 'METADATA', 'Metadata-Version: 2.1\\nName: fettle-t-wheel\\nVersion: 1.0.0\\n')
    wheel.writestr(info + 'WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    wheel.writestr(info + 'RECORD', '')
`;

/** `wrong`: served in place of the wheel until the test corrects it. */
async function startIndex(folder: string, wrong?: string) {
  execFileSync('python3', ['-c', makeWheel, join(folder, file)]);
  const wheel = readFileSync(join(folder, file));
  const sha256 = createHash('sha256').update(wheel).digest('hex');
  const asked: string[] = [];
  let given = wrong === undefined ? wheel : Buffer.from(wrong);
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const page = {
      meta: { 'api-version': '1.0' },
      name: 'fettle-t-wheel',
      files: [{ filename: file, url: `${url}packages/ab/cd/${file}`, hashes: { sha256 } }],
    };
    if (request.url === '/simple/fettle-t-wheel/') response.end(JSON.stringify(page));
    else if (request.url === `/packages/ab/cd/${file}`) response.end(given);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const mend = () => {
    given = wheel;
  };
  return { url, asked, mend };
}

async function openStage(wrong?: string) {
  const folder = openFolder('pip');
  const index = await startIndex(folder, wrong);
  const upstreams = [createUpstream({ ecosystem: pypi, addresses: [index.url] })];
  const cache = createDiskCache({ folder: join(folder, 'cache'), maxBytes: 1e9 });
  const registry = createRegistry({ names: ['pypi'], upstreams: async () => upstreams, cache });
  const python = execFileSync('python3', ['-c', 'import sys; print(sys.prefix)'], {
    encoding: 'utf8',
  }).trim();
  const searchPath = `${python}/bin:/usr/bin:/bin`;
  const sandbox = await startSandbox({ backend: 'process', folder: join(folder, 'sandboxes'), searchPath });
  onTestFinished(() => sandbox.close());
  return { index, registry, sandbox };
}

const skipped = hasPip ? '' : ' (skipped: there is no pip here)';

test.skipIf(!hasPip)(`pip installs a wheel${skipped}`, async () => {
  const { index, registry, sandbox } = await openStage();
  const command =
    'python3 -m pip install --target t fettle-t-wheel && PYTHONPATH=t python3 -c "import fettle_t_wheel as w; print(w.answer)"';
  const { value } = await withInstallWindow(sandbox, registry, async ({ environmentIn }) =>
    sandbox.run({ command, env: await environmentIn('') }),
  );
  expect(value.output).toMatch(/42\n$/);
  expect(index.asked).toEqual(['GET /simple/fettle-t-wheel/', `GET /packages/ab/cd/${file}`]);
  const outside = await sandbox.run({ command: 'python3 -m pip download fettle-t-wheel' });
  expect(outside.exitCode).not.toBe(0);
});

test.skipIf(!hasPip)(`a wheel that was wrong once is not wrong for good${skipped}`, async () => {
  const { index, registry, sandbox } = await openStage('<html>back in a minute</html>');
  const install = () =>
    withInstallWindow(sandbox, registry, async ({ environmentIn, distrust }) => {
      const env = await environmentIn('');
      const result = await sandbox.run({ command: 'python3 -m pip install --target t fettle-t-wheel', env });
      if (isIntegrityFailure(result)) await distrust();
      return result;
    });
  expect((await install()).value).toMatchObject({ exitCode: 1 });
  index.mend();
  const { exitCode, output } = (await install()).value;
  expect(exitCode, output).toBe(0);
});
