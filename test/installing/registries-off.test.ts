/** FETTLE_REGISTRIES=none: package managers fail at once, and everybody hears why. */
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { ofType, toolParts } from '../support/events.ts';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { shell, shellFile } from '../support/shell-file.ts';

const why = /FETTLE_REGISTRIES turns registries off/;
const manifest = { name: 'app', version: '1.0.0', dependencies: { 'fettle-t-left': '1.0.0' } };
const resolved = 'https://registry.npmjs.org/fettle-t-left/-/fettle-t-left-1.0.0.tgz';
const lockfile = {
  ...manifest,
  lockfileVersion: 3,
  packages: { '': manifest, 'node_modules/fettle-t-left': { version: '1.0.0', resolved } },
};

async function run(setup: string[]) {
  const work = conversation('work', [
    turn(call('run_command', { command: shell('npm install fettle-t-left') })),
    turn(call('install_dependencies', {})),
    turn(say('It cannot be done.')),
  ]);
  const platform = await openPlatform({
    conversations: [work],
    settings: { FETTLE_REGISTRIES: 'none' },
  });
  const repository = openRepository({
    'package.json': JSON.stringify(manifest),
    'package-lock.json': JSON.stringify(lockfile),
    '.fettle/config.yml': JSON.stringify({ setup }),
    ...shellFile,
  });
  return platform.run(repository.request('implement', 'install it'));
}

test('set-up fails at once and says that registries are off', async () => {
  const { operation, events } = await run(['npm ci']);
  expect(operation.outcome).toMatchObject({ reason: 'setup_failed', message: expect.stringMatching(why) });
  const [check] = ofType(events, 'check.finished').map(({ check }) => check);
  expect(check).toMatchObject({ command: 'npm ci', status: 'failed', output: expect.stringMatching(/403/) });
  expect(check?.output).not.toMatch(/EAI_AGAIN|ENOTFOUND/);
});

test('the tool says so too, and a command of the agent is refused on loopback', async () => {
  const { events } = await run([]);
  const outputs = toolParts(events).map(({ output }) => output);
  expect(outputs).toEqual([expect.stringMatching(/403/), expect.stringMatching(why)]);
});
