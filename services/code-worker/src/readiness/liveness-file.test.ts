import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFolder } from '../testing/open-folder.ts';
import { writeLivenessFile } from './liveness-file.ts';

test('the file is new and empty while there is no problem, and old with the reasons otherwise', async () => {
  const path = join(openFolder(), 'alive');
  const age = () => Date.now() - statSync(path).mtimeMs;
  await writeLivenessFile(path, []);
  expect([readFileSync(path, 'utf8'), age() < 60_000]).toEqual(['', true]);
  await writeLivenessFile(path, ['the sandbox broker does not answer', 'the api does not answer']);
  expect(readFileSync(path, 'utf8')).toBe('the sandbox broker does not answer\nthe api does not answer\n');
  expect(age()).toBeGreaterThan(60_000);
  await writeLivenessFile(path, []);
  expect([readFileSync(path, 'utf8'), age() < 60_000]).toEqual(['', true]);
});
