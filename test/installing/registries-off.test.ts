/** FETTLE_REGISTRIES=none: package managers fail at once, and everybody hears why. */
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, onTestFinished, test } from 'vitest';
import { startPlatform } from '../support/platform.ts';
import { makeRepository } from '../support/repository.ts';
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
  const platform = await startPlatform({
    conversations: [work],
    settings: { FETTLE_REGISTRIES: 'none' },
  });
  onTestFinished(() => platform.close());
  const repository = makeRepository({
    'package.json': JSON.stringify(manifest),
    'package-lock.json': JSON.stringify(lockfile),
    '.fettle/config.yml': JSON.stringify({ setup }),
    ...shellFile,
  });
  onTestFinished(() => repository.remove());
  return platform.run({ kind: 'implement', description: 'install it', repository: repository.path });
}

test('set-up fails at once and says that registries are off', async () => {
  const { operation, events } = await run(['npm ci']);
  expect(operation.outcome).toMatchObject({ reason: 'setup_failed', message: expect.stringMatching(why) });
  const [check] = events.flatMap((event) => (event.type === 'check.finished' ? [event.check] : []));
  expect(check).toMatchObject({ command: 'npm ci', ok: false, output: expect.stringMatching(/403/) });
  expect(check?.output).not.toMatch(/EAI_AGAIN|ENOTFOUND/);
});

test('the tool says so too, and a command of the agent is refused on loopback', async () => {
  const { events } = await run([]);
  const outputs = events.flatMap((event) =>
    event.type === 'part.finished' && event.part.kind === 'tool' ? [event.part.output] : [],
  );
  expect(outputs).toEqual([expect.stringMatching(/403/), expect.stringMatching(why)]);
});
