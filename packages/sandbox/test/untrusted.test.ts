import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startProcessToolbox } from '../src/backends/process-backend.ts';
import { openSandbox } from '../src/host/open-sandbox.ts';
import type { Sandbox } from '../src/host/sandbox.ts';
import { expectRefusal, listSandboxFolders, makeTemporaryFolder } from '../src/testing/test-sandbox.ts';

const main = fileURLToPath(new URL('../src/testing/silent-toolbox.ts', import.meta.url));

async function open(behaviour: string): Promise<{ folder: string; opening: Promise<Sandbox> }> {
  const folder = makeTemporaryFolder();
  writeFileSync(join(folder, 'behaviour'), behaviour);
  const toolbox = startProcessToolbox({ folder, searchPath: '/usr/bin:/bin', main });
  return { folder, opening: openSandbox(toolbox, { backend: 'process', warning: undefined }) };
}

describe('an untrusted toolbox', () => {
  it.each([
    ['garbage', 'malformed', /declares/],
    ['no hello', 'malformed', /hello/],
    ['other protocol', 'wrong_protocol', /protocol 99, this worker 3/],
    ['dies', 'start_failed', /cannot find my libraries/],
  ] as const)('is refused at once: %s', async (behaviour, code, message) => {
    const { folder, opening } = await open(behaviour);
    await expectRefusal(opening, code, message);
    expect(listSandboxFolders(folder)).toEqual([]);
  });

  it.each([
    ...['oversize frame', 'wrong kind', 'unknown id', 'wrong result', 'unknown code'],
    ...["a code of the host's own", 'too much credit', 'over its window', 'bad change path'],
    ...['link to elsewhere', 'cut-off change pack', 'ends'],
  ])('ends the sandbox and every open request: %s', async (behaviour) => {
    const code = behaviour === 'ends' ? 'ended' : 'malformed';
    const { folder, opening } = await open(behaviour);
    const sandbox = await opening;
    const first = sandbox.changes();
    const second = sandbox.readFile('a');
    await expectRefusal(first, code);
    await expectRefusal(second, code);
    await expectRefusal(sandbox.statFile('a'), code);
    await sandbox.close();
    expect(listSandboxFolders(folder)).toEqual([]);
  });

  it('cannot delay a request beyond its timeout', async () => {
    const { opening } = await open('silent');
    const sandbox = await opening;
    await expectRefusal(sandbox.readFile('a', { timeoutMs: 50 }), 'timeout', /readFile/);
    const pending = sandbox.readFile('a');
    const refused = expectRefusal(pending, 'ended', /closed/);
    await sandbox.close();
    await refused;
    await sandbox.close();
  });
});
