import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFolder } from '../../testing/open-folder.ts';
import { processesWith } from '../../testing/processes.ts';
import { runFettleIntoHead } from '../../testing/run-fettle.ts';

const engine = process.env.FETTLE_TEST_ENGINE;
const hasBubblewrap = (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, 'bwrap')));
const isAvailable: Record<string, boolean> = { docker: engine !== undefined, bubblewrap: hasBubblewrap };

/** The folders of sandboxes and brokers. The cgroup of a sandbox is removed before its folder. */
async function listLeftovers({ FETTLE_HOME = '', TMPDIR = '' }): Promise<string[]> {
  const ofHome = await readdir(join(FETTLE_HOME, 'sandboxes')).catch(() => []);
  return [...ofHome.filter((name) => name.startsWith('sandbox-')), ...(await readdir(TMPDIR))];
}

test.for(['docker', 'bubblewrap', 'process'].filter((name) => isAvailable[name] ?? true))(
  'ends and leaves nothing behind when the reader of its output exits: %s',
  async (backend) => {
    const places = { FETTLE_HOME: openFolder(), TMPDIR: openFolder() };
    const settings = { ...places, ...(engine !== undefined && { DOCKER_HOST: engine }) };
    const args = ['sandbox', 'exec', '--backend', backend, '--', 'yes'];
    const { stdout, stderr } = await runFettleIntoHead(args, settings);
    expect(stdout).toBe('y\n');
    expect(stderr).toMatch(/^(fettle: .*\n)*$/);
    expect(await listLeftovers(places)).toEqual([]);
    for (const folder of Object.values(places)) expect(processesWith(folder)).toEqual([]);
  },
);
