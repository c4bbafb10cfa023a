import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../testing/test-sandbox.ts';
import { defaultSandboxLimits } from '../limits.ts';
import { listCgroups, makeCgroup } from './cgroup.ts';

test.skipIf(process.platform !== 'linux')(
  'at the top of one hierarchy there are none, and that is no failure',
  () => {
    const root = makeTemporaryFolder();
    for (const file of ['cgroup.controllers', 'cgroup.subtree_control']) {
      writeFileSync(join(root, file), 'cpu memory pids');
    }
    expect(makeCgroup('sandbox-of-nobody', defaultSandboxLimits, root)).toBeUndefined();
    expect(listCgroups(() => true, root)).toEqual([]);
  },
);
