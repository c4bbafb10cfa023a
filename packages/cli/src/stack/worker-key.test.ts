import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFolder } from '../testing/open-folder.ts';
import { ensureWorkerKey } from './worker-key.ts';

test('the key stays the same, and only its owner can read it', () => {
  const home = openFolder();
  const key = ensureWorkerKey(home);
  expect(key).toMatch(/^[\w-]{43}$/);
  expect(ensureWorkerKey(home)).toBe(key);
  expect(statSync(join(home, 'worker-key')).mode & 0o777).toBe(0o600);
  // A full disk can leave an empty file.
  writeFileSync(join(home, 'worker-key'), '');
  expect(ensureWorkerKey(home)).toMatch(/^[\w-]{43}$/);
});
