import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRepository } from '../../testing/open-folder.ts';
import { runFettle } from '../../testing/run-fettle.ts';
import { checkFiles } from './check-files.ts';

const repository = openRepository({ 'src/cart.ts': '' });
writeFileSync(join(repository, 'new.ts'), '');

const searchPath = '/usr/local/bin:/usr/bin:/bin';
const check = (targetFiles: string[], baseBranch?: string) =>
  checkFiles(
    { kind: 'fix', description: 'it', repository, targetFiles, ...(baseBranch && { baseBranch }) },
    { searchPath },
  );

test('files and folders of the repository are accepted', async () => {
  await expect(check(['src/cart.ts', './src'])).resolves.toBeUndefined();
});

test.each([
  [['src/absent.ts'], undefined, '--file: src/absent.ts does not exist in '],
  [['src/cart.ts', 'cart.ts'], 'main', '--file: cart.ts does not exist in the branch main of '],
  [['new.ts'], undefined, '--file: new.ts is not committed in '],
])('%j on %s is rejected', async (files, branch, message) => {
  await expect(check(files, branch)).rejects.toThrow(message);
});

test('a branch that only the server knows is left to the server', async () => {
  await expect(check(['absent.ts'], 'elsewhere')).resolves.toBeUndefined();
});

test('run rejects it as wrong usage', async () => {
  const args = ['run', 'fix', 'it', '--repo', repository, '--file', 'absent.ts'];
  expect(await runFettle(args)).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: `fettle: --file: absent.ts does not exist in ${repository}.\n  Give the path from the root of the repository, for example src/cart.ts.\n`,
  });
});
