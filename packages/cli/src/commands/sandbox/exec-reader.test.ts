import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { processesWith } from '../../testing/processes.ts';
import { runFettleIntoHead } from '../../testing/run-fettle.ts';

const engine = process.env.FETTLE_TEST_ENGINE;
const hasBubblewrap = (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, 'bwrap')));
const isAvailable: Record<string, boolean> = { docker: engine !== undefined, bubblewrap: hasBubblewrap };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reader-'));
  await mkdir(join(folder, 'tmp'));
});
afterEach(() => rm(folder, { recursive: true }));

/** The folders of sandboxes and brokers. The cgroup of a sandbox is removed before its folder. */
async function listLeftovers(): Promise<string[]> {
  const ofHome = await readdir(join(folder, 'home', 'sandboxes')).catch(() => []);
  return [...ofHome.filter((name) => name.startsWith('sandbox-')), ...(await readdir(join(folder, 'tmp')))];
}

test.for(['docker', 'bubblewrap', 'process'].filter((name) => isAvailable[name] ?? true))(
  'ends and leaves nothing behind when the reader of its output exits: %s',
  async (backend) => {
    const settings = {
      FETTLE_HOME: join(folder, 'home'),
      TMPDIR: join(folder, 'tmp'),
      ...(engine !== undefined && { DOCKER_HOST: engine }),
    };
    const args = ['sandbox', 'exec', '--backend', backend, '--', 'yes'];
    const { stdout, stderr } = await runFettleIntoHead(args, settings);
    expect(stdout).toBe('y\n');
    expect(stderr).toMatch(/^(fettle: .*\n)*$/);
    expect(await listLeftovers()).toEqual([]);
    expect(processesWith(folder)).toEqual([]);
  },
);
