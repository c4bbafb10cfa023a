import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { runFettle, runFettleAs } from '../../testing/run-fettle.ts';
import type { Finding } from './diagnosis.ts';

const engine = process.env.FETTLE_TEST_ENGINE;
const nowhere = 'unix:///nowhere.sock';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'home-'));
});
afterAll(() => rm(home, { recursive: true }));

async function ask(settings: Record<string, string>): Promise<[number | null, Finding | undefined]> {
  const { exitCode, stdout } = await runFettle(['doctor', '--json'], { FETTLE_HOME: home, ...settings });
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  return [exitCode, findings.find(({ name }) => name === 'sandbox')];
}

const problem = (message: RegExp) => ({
  name: 'sandbox',
  state: 'problem',
  message: expect.stringMatching(message),
  advice: expect.any(String),
});

test('a backend that is named and does not work is a problem, with its reason', async () => {
  expect(await ask({ FETTLE_SANDBOX: 'docker', DOCKER_HOST: nowhere })).toEqual([
    4,
    problem(
      /^docker, as FETTLE_SANDBOX says, does not work: no container engine answers at \/nowhere.sock \(ENOENT\)$/,
    ),
  ]);
  expect(await ask({ FETTLE_SANDBOX: 'bubblewrap', DOCKER_HOST: nowhere, PATH: '/nowhere' })).toEqual([
    4,
    problem(/^bubblewrap, as FETTLE_SANDBOX says, does not work: bubblewrap \(bwrap\) is not on the PATH$/),
  ]);
});

test('where the home cannot be written, that is the reason, and no sandbox is to blame', async () => {
  const { stdout } = await runFettle(['doctor', '--json'], { FETTLE_HOME: '/dev/null/home' });
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  const backends = findings.filter(({ name }) => name.startsWith('sandbox '));
  const blamed = {
    ...{ state: 'warning', advice: 'Set FETTLE_HOME to a folder that you may write to.' },
    message: 'does not work: /dev/null/home cannot be written: a part of that path is a file',
  };
  expect(backends).toEqual([
    { name: 'sandbox docker', ...blamed },
    { name: 'sandbox bubblewrap', ...blamed },
  ]);
});

test.skipIf(engine === undefined)('so is one whose runtime the engine does not know', async () => {
  const settings = { DOCKER_HOST: engine ?? '', FETTLE_SANDBOX_RUNTIME: 'unheard-of' };
  const reason = 'FETTLE_SANDBOX_RUNTIME: the engine does not know this runtime';
  expect(await ask({ ...settings, FETTLE_SANDBOX: 'docker' })).toEqual([
    4,
    problem(new RegExp(`^docker, as FETTLE_SANDBOX says, does not work: ${reason}`)),
  ]);
  expect(await ask({ ...settings, FETTLE_SANDBOX: 'auto' })).toEqual([
    4,
    problem(new RegExp(`^'auto' takes none: ${reason}`)),
  ]);
});

test.skipIf(engine === undefined)('one that is named and works is well', async () => {
  expect(await ask({ FETTLE_SANDBOX: 'docker', DOCKER_HOST: engine ?? '' })).toEqual([
    0,
    { name: 'sandbox', state: 'ok', message: 'docker, as FETTLE_SANDBOX says' },
  ]);
});

test.skipIf(engine === undefined)(
  'one with a kernel of its own is asked only what holds there',
  async ({ skip }) => {
    const settings = { DOCKER_HOST: engine ?? '', FETTLE_SANDBOX: 'docker', FETTLE_SANDBOX_RUNTIME: 'runsc' };
    const [exitCode, finding] = await ask(settings);
    skip(finding?.message.includes('does not know this runtime') === true, 'the engine does not know runsc');
    expect([exitCode, finding]).toEqual([
      0,
      { name: 'sandbox', state: 'ok', message: 'docker, as FETTLE_SANDBOX says' },
    ]);
  },
);

test('the settings of the broker are looked at even where there is no engine', async () => {
  const settings = { FETTLE_HOME: home, DOCKER_HOST: nowhere, FETTLE_MAX_SANDBOXES: '0' };
  const { exitCode, stdout } = await runFettle(['doctor', '--json'], settings);
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  expect([exitCode, findings.find(({ name }) => name === 'broker settings')]).toMatchObject([
    4,
    { state: 'problem', message: expect.stringMatching(/^FETTLE_MAX_SANDBOXES: /) },
  ]);
});

test.skipIf(process.getuid?.() !== 0)(
  'where no control groups can be had, it says what that means for bubblewrap',
  async ({ skip }) => {
    const user = 65_534;
    const own = await mkdtemp('/tmp/fettle-doctor-');
    onTestFinished(() => rm(own, { recursive: true }));
    await chown(own, user, user);
    const settings = { HOME: own, TMPDIR: own, FETTLE_HOME: join(own, 'home'), DOCKER_HOST: nowhere };
    const { stdout } = await runFettleAs(user, ['doctor', '--json'], settings);
    skip(stdout === '', 'another user cannot get to this folder');
    const { findings } = JSON.parse(stdout) as { findings: Finding[] };
    const found = findings.find(({ name }) => name === 'sandbox bubblewrap');
    skip(found?.state !== 'ok', `bubblewrap ${found?.message}`);
    expect(found).toMatchObject({
      message: expect.stringContaining('without control groups its memory is only watched'),
      advice: expect.stringContaining('control groups'),
    });
  },
);
