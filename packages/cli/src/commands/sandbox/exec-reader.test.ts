import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { processesWith } from '../../testing/processes.ts';
import { runFettleIntoHead } from '../../testing/run-fettle.ts';

const engine = process.env.FETTLE_TEST_ENGINE;
const hasBubblewrap = (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, 'bwrap')));
const isHere: Record<string, boolean> = { docker: engine !== undefined, bubblewrap: hasBubblewrap };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reader-'));
  await mkdir(join(folder, 'tmp'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Folders of sandboxes and of brokers; a sandbox's control group goes before its folder does. */
async function listLeft(): Promise<string[]> {
  const ofHome = await readdir(join(folder, 'home', 'sandboxes')).catch(() => []);
  return [...ofHome.filter((name) => name.startsWith('sandbox-')), ...(await readdir(join(folder, 'tmp')))];
}

test.for(['docker', 'bubblewrap', 'process'].filter((name) => isHere[name] ?? true))(
  'when its reader has seen enough, it ends and leaves nothing behind: %s',
  async (backend) => {
    const settings = {
      FETTLE_HOME: join(folder, 'home'),
      TMPDIR: join(folder, 'tmp'),
      ...(engine !== undefined && { DOCKER_HOST: engine }),
    };
    const words = ['sandbox', 'exec', '--backend', backend, '--', 'yes'];
    const { stdout, stderr } = await runFettleIntoHead(words, settings);
    expect(stdout).toBe('y\n');
    expect(stderr).toMatch(/^(fettle: .*\n)*$/);
    expect(await listLeft()).toEqual([]);
    expect(processesWith(folder)).toEqual([]);
  },
);
