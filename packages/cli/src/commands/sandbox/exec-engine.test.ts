import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openFolder } from '../../testing/open-folder.ts';
import { runFettle } from '../../testing/run-fettle.ts';

const engine = process.env.FETTLE_TEST_ENGINE;

const places = { FETTLE_HOME: openFolder(), TMPDIR: openFolder() };

function exec(settings: Record<string, string>, ...args: string[]) {
  return runFettle(['sandbox', 'exec', ...args, '--', 'true'], { ...places, ...settings });
}

const nowhere = { DOCKER_HOST: 'unix:///nowhere.sock' };
const reason = 'no container engine answers at /nowhere.sock (ENOENT)';

test('without an engine, auto prints which sandbox it chooses instead, and why', async () => {
  const { exitCode, stderr } = await exec(nowhere);
  if (exitCode === 0) expect(stderr).toBe(`fettle: sandbox bubblewrap (not docker: ${reason})\n`);
  else expect(stderr).toContain(`docker: ${reason}; bubblewrap: `);
});

test('without an engine, --backend docker fails with the reason', async () => {
  const { exitCode, stderr } = await exec(nowhere, '--backend', 'docker');
  expect([exitCode, stderr.split('\n')[0]]).toEqual([4, `fettle: ${reason}`]);
  expect(stderr).not.toContain('fettle-broker-');
  expect(await readdir(places.TMPDIR)).toEqual([]);
});

test.skipIf(engine === undefined).for(['auto', 'docker'])(
  'a runtime unknown to the engine is refused: %s',
  async (backend) => {
    const settings = { DOCKER_HOST: engine ?? '', FETTLE_SANDBOX_RUNTIME: 'unheard-of' };
    const { exitCode, stdout, stderr } = await exec(settings, '--backend', backend, '--json');
    const message = expect.stringMatching(/^FETTLE_SANDBOX_RUNTIME: the engine does not know this runtime/);
    expect([exitCode, JSON.parse(stdout)]).toEqual([
      2,
      { error: { code: 'usage', message, advice: 'Correct the environment variable, or unset it.' } },
    ]);
    expect(stderr).not.toContain('fettle-broker-');
  },
);
