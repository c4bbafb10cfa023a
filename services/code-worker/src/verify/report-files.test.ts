import { type Sandbox, startSandbox } from '@fettle/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFolder } from '../testing/open-folder.ts';
import { watchReports } from './report-files.ts';

const folder = openFolder();
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ backend: 'process', folder });
});
afterAll(() => sandbox?.close());

async function readAfter(command: string) {
  const readFiles = await watchReports(sandbox, ['out/*.xml']);
  await sandbox.run({ command });
  return readFiles();
}

const write = (count: number) =>
  `for i in $(seq ${count}); do head -c 1900000 /dev/urandom > out/f$i.xml; done`;

test('reads only files that were written: all of them, or none if they are too large together', async () => {
  await sandbox.run({ command: 'mkdir out; echo old > out/a.xml; echo old > out/b.xml' });
  expect(await readAfter('echo new > out/b.xml')).toEqual([{ path: 'out/b.xml', text: 'new\n' }]);
  expect(await readAfter(write(4))).toHaveLength(4);
  expect(await readAfter(write(5))).toEqual([]);
});
