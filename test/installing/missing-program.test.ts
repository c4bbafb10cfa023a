/** Sandboxes that lack the repository's package manager: npx fetches it, or a sentence says what to do. */
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '@fettle/sandbox';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  install,
  readOrMissing,
  startInstallStage,
} from '../../packages/registry/src/testing/install-stage.ts';
import {
  fetchPackageManagers,
  publishManager,
} from '../../packages/registry/src/testing/package-managers.ts';
import { findProgram } from '../../packages/sandbox/src/proc/find-program.ts';
import { openFolder } from '../support/lifetime.ts';

const available = fetchPackageManagers();
const folder = 'missing' in available ? '' : available.folder;
const why = 'missing' in available ? ` (skipped: ${available.missing})` : '';

const stage = await startInstallStage();
afterAll(stage.close);
stage.upstream.publish({
  name: 'fettle-t-built',
  version: '1.0.0',
  scripts: { postinstall: 'echo ran > ran.txt' },
});

interface Given {
  programs: string[];
  lockfile: string;
  packageManager?: string;
}

/** With only these programs, so that a pnpm of the machine is not used. */
async function startBareSandbox({ programs, lockfile, packageManager }: Given): Promise<Sandbox> {
  const place = openFolder('bare');
  const bin = join(place, 'bin');
  mkdirSync(bin);
  for (const program of ['node', ...programs]) {
    const file = program === 'node' ? '' : `'${folder}/node_modules/npm-11/bin/${program}-cli.js'`;
    writeFileSync(join(bin, program), `#!/bin/sh\nexec '${process.execPath}' ${file} "$@"\n`);
    chmodSync(join(bin, program), 0o755);
  }
  // The toolbox needs mkfifo, and pnpm needs sh.
  for (const program of ['mkfifo', 'sh']) {
    symlinkSync(findProgram(program, process.env.PATH ?? '') ?? '', join(bin, program));
  }
  const sandbox = await startSandbox({
    backend: 'process',
    folder: join(place, 'sandboxes'),
    searchPath: bin,
  });
  onTestFinished(() => sandbox.close());
  const manifest = { name: 'app', packageManager, dependencies: { 'fettle-t-built': '1.0.0' } };
  await sandbox.writeFile('package.json', Buffer.from(JSON.stringify(manifest)));
  await sandbox.writeFile(lockfile, Buffer.from(''));
  return sandbox;
}

describe.skipIf(folder === '')(`a sandbox without the package manager${why}`, () => {
  test.each([
    { alias: 'yarn-1', lockfile: 'yarn.lock', spec: 'yarn@1.22.22' },
    { alias: 'pnpm-10', lockfile: 'pnpm-lock.yaml', packageManager: 'pnpm@10.34.8', spec: 'pnpm@10.34.8' },
  ])('$spec is fetched by npx', async ({ alias, spec, ...repository }) => {
    publishManager(stage.upstream, folder, alias);
    const sandbox = await startBareSandbox({ programs: ['npm', 'npx'], ...repository });
    const options = { update: true, scripts: ['fettle-t-built'] };
    const said = await stage.install(sandbox, options);
    expect(await readOrMissing(sandbox, repository.lockfile), said).toContain('fettle-t-built');
    expect(await readOrMissing(sandbox, 'node_modules/fettle-t-built/ran.txt'), said).toBe('ran\n');
    expect(said).toMatch(new RegExp(`The sandbox has no \\w+, so npx runs ${spec}. If that fails, `));
  });

  test("pnpm is the workspace's version where the repository names none", async () => {
    const sandbox = await startBareSandbox({ programs: ['npm', 'npx'], lockfile: 'pnpm-lock.yaml' });
    const said = await stage.install(sandbox);
    const root = new URL('../../package.json', import.meta.url);
    expect(said).toContain(`npx runs ${JSON.parse(readFileSync(root, 'utf8')).packageManager}. `);
  });

  const advice =
    'the operator can install it on the machine of the worker, or set FETTLE_SANDBOX_IMAGES to an image that has it';
  test.each([
    ['package-lock.json', 'the sandbox has no npm'],
    ['pnpm-lock.yaml', 'the sandbox has no pnpm, and no npx to fetch it'],
  ])('without npx, %s: %s', async (lockfile, missing) => {
    const sandbox = await startBareSandbox({ programs: [], lockfile });
    const installed = await install({ sandbox, registry: stage.registry });
    expect(installed).toEqual({ ok: false, reason: `${missing}: ${advice}` });
  });
});
