import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../testing/test-sandbox.ts';
import { defaultSandboxLimits } from '../limits.ts';
import { listCgroups, makeCgroup } from './cgroup.ts';

test.skipIf(process.platform !== 'linux')('creates no group at the top of a cgroup v2 hierarchy', () => {
  const root = makeTemporaryFolder();
  for (const file of ['cgroup.controllers', 'cgroup.subtree_control']) {
    writeFileSync(join(root, file), 'cpu memory pids');
  }
  expect(makeCgroup('sandbox-test', defaultSandboxLimits, root)).toBeUndefined();
  expect(listCgroups(() => true, root)).toEqual([]);
});
