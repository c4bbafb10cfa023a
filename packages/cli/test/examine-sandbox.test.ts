import { chown, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Diagnosis } from '../src/commands/doctor/diagnosis.ts';
import { openFolder } from '../src/testing/open-folder.ts';
import { type Finished, runFettle, runFettleAs } from '../src/testing/run-fettle.ts';

const engine = process.env.FETTLE_TEST_ENGINE;
const nowhere = 'unix:///nowhere.sock';

const home = openFolder();

const findingsOf = ({ stdout }: Finished): Diagnosis[] => JSON.parse(stdout).findings;

async function ask(
  settings: Record<string, string>,
  subject = 'sandbox',
): Promise<[number | null, Diagnosis | undefined]> {
  const finished = await runFettle(['doctor', '--json'], {
    ...{ FETTLE_HOME: home, ANTHROPIC_API_KEY: 'none' },
    ...settings,
  });
  return [finished.exitCode, findingsOf(finished).find(({ name }) => name === subject)];
}

const works = [0, { name: 'sandbox', state: 'ok', message: 'docker (FETTLE_SANDBOX)' }];

const problem = (message: RegExp) => ({
  name: 'sandbox',
  state: 'problem',
  message: expect.stringMatching(message),
  advice: expect.any(String),
});

test('a backend that FETTLE_SANDBOX names and that does not work is a problem, with the reason', async () => {
  expect(await ask({ FETTLE_SANDBOX: 'docker', DOCKER_HOST: nowhere })).toEqual([
    4,
    problem(
      /^docker \(FETTLE_SANDBOX\) does not work: no container engine answers at \/nowhere.sock \(ENOENT\)$/,
    ),
  ]);
  expect(await ask({ FETTLE_SANDBOX: 'bubblewrap', DOCKER_HOST: nowhere, PATH: '/nowhere' })).toEqual([
    4,
    problem(/^bubblewrap \(FETTLE_SANDBOX\) does not work: bubblewrap \(bwrap\) is not on the PATH$/),
  ]);
});

test('an unwritable home is reported as the reason why sandboxes do not work', async () => {
  const finished = await runFettle(['doctor', '--json'], { FETTLE_HOME: '/dev/null/home' });
  const backends = findingsOf(finished).filter(({ name }) => name.startsWith('sandbox '));
  const unwritable = {
    ...{ state: 'warning', advice: 'Set FETTLE_HOME to a folder that you can write to.' },
    message: 'does not work: /dev/null/home cannot be written: part of the path is a file',
  };
  expect(backends).toEqual([
    { name: 'sandbox docker', ...unwritable },
    { name: 'sandbox bubblewrap', ...unwritable },
  ]);
});

test.skipIf(engine === undefined)('an unknown runtime is a problem', async () => {
  const settings = { DOCKER_HOST: engine ?? '', FETTLE_SANDBOX_RUNTIME: 'unheard-of' };
  const reason = 'FETTLE_SANDBOX_RUNTIME: the engine does not know this runtime';
  expect(await ask({ ...settings, FETTLE_SANDBOX: 'docker' })).toEqual([
    4,
    problem(new RegExp(`^docker \\(FETTLE_SANDBOX\\) does not work: ${reason}`)),
  ]);
  expect(await ask({ ...settings, FETTLE_SANDBOX: 'auto' })).toEqual([
    4,
    problem(new RegExp(`^'auto' cannot choose a sandbox: ${reason}`)),
  ]);
});

test.skipIf(engine === undefined)('a backend that FETTLE_SANDBOX names and that works is ok', async () => {
  expect(await ask({ FETTLE_SANDBOX: 'docker', DOCKER_HOST: engine ?? '' })).toEqual(works);
});

test.skipIf(engine === undefined)(
  'a runtime with its own kernel skips the checks of the host kernel',
  async ({ skip }) => {
    const settings = { DOCKER_HOST: engine ?? '', FETTLE_SANDBOX: 'docker', FETTLE_SANDBOX_RUNTIME: 'runsc' };
    const [exitCode, diagnosis] = await ask(settings);
    skip(
      diagnosis?.message.includes('does not know this runtime') === true,
      'the engine does not know runsc',
    );
    expect([exitCode, diagnosis]).toEqual(works);
  },
);

test('the settings of the broker are checked even without an engine', async () => {
  const settings = { DOCKER_HOST: nowhere, FETTLE_MAX_SANDBOXES: '0' };
  expect(await ask(settings, 'broker settings')).toMatchObject([
    4,
    { state: 'problem', message: expect.stringMatching(/^FETTLE_MAX_SANDBOXES: /) },
  ]);
});

test.skipIf(process.getuid?.() !== 0)(
  'reports what the lack of cgroups means for bubblewrap',
  async ({ skip }) => {
    const user = 65_534;
    const own = await mkdtemp('/tmp/fettle-doctor-');
    onTestFinished(() => rm(own, { recursive: true }));
    await chown(own, user, user);
    const settings = {
      HOME: own,
      XDG_CONFIG_HOME: own,
      TMPDIR: own,
      FETTLE_HOME: join(own, 'home'),
      DOCKER_HOST: nowhere,
    };
    const finished = await runFettleAs(user, ['doctor', '--json'], settings);
    skip(finished.stdout === '', 'another user cannot access this folder');
    const found = findingsOf(finished).find(({ name }) => name === 'sandbox bubblewrap');
    skip(found?.state !== 'ok', `bubblewrap ${found?.message}`);
    expect(found).toMatchObject({
      message: expect.stringContaining('without cgroups the memory is only watched'),
      advice: expect.stringContaining('cgroups'),
    });
  },
);
