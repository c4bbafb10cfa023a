/** Lockfiles in real sandboxes, pointed to loopback and back. */
import { startSandbox } from '@fettle/sandbox';
import { expect, onTestFinished, test } from 'vitest';
import { createByteBudget } from '../byte-budget.ts';
import { openFolder } from '../testing/open-folder.ts';
import { LockfilesRefused } from './change-lockfiles.ts';
import { findPackageManager } from './find-client.ts';
import { createLockfileAddresses, withoutMarker } from './lockfile-addresses.ts';

const base = 'http://127.0.0.1:5000/';
const registry = 'https://npm.example.com/all/';
const head = '# yarn lockfile v1\n';

async function open(files: Record<string, string>) {
  const place = { folder: openFolder(), searchPath: '/usr/bin:/bin' };
  const sandbox = await startSandbox({ backend: 'process', ...place });
  onTestFinished(() => sandbox.close());
  for (const [path, text] of Object.entries(files)) await sandbox.writeFile(path, Buffer.from(text));
  const budget = createByteBudget(32_000_000);
  const addresses = createLockfileAddresses({ sandbox, budget, base, registry });
  const read = async (path: string) =>
    (await sandbox.readFile(path, { maxBytes: 32_000_000 })).bytes.toString();
  return { sandbox, budget, addresses, read };
}

/** Writes large files inside the sandbox, because they exceed the limit of writeFile. */
async function makeLarge(sandbox: Awaited<ReturnType<typeof open>>['sandbox'], folders: string[]) {
  const line = 'https://registry.yarnpkg.com/aaaaaaaaaaaaaaaaaaa';
  const command = `for f in ${folders.join(' ')}; do mkdir -p $f; { echo '${head.trim()}'; yes ${line} | head -c 15500000; } > $f/yarn.lock; done`;
  expect(await sandbox.run({ command })).toMatchObject({ exitCode: 0 });
}

test('every address is restored, and a new one becomes the public one', async () => {
  const text = `${head}"ü" https://registry.yarnpkg.com/a/-/a-1.0.0.tgz#1
https://registry.npmjs.org/a/-/a-1.0.0.tgz ${registry}a/-/a-1.0.0.tgz https://elsewhere.example/a.tgz\n`;
  const berry = '__metadata:\n  x: https://registry.npmjs.org/a\n';
  const files = { 'yarn.lock': text, 'deep/er/yarn.lock': text, 'berry/yarn.lock': berry };
  const { addresses, read, sandbox } = await open({ ...files, 'node_modules/a/yarn.lock': text });
  await addresses.pointToLoopback();
  const pointed = await read('deep/er/yarn.lock');
  expect(pointed.match(/https?:[^ \n]+/g)).toEqual([
    `${base}~0/a/-/a-1.0.0.tgz#1`,
    `${base}~1/a/-/a-1.0.0.tgz`,
    `${base}~2/a/-/a-1.0.0.tgz`,
    'https://elsewhere.example/a.tgz',
  ]);
  expect(withoutMarker('/~1/a/-/a-1.0.0.tgz')).toBe('/a/-/a-1.0.0.tgz');
  expect(await read('berry/yarn.lock')).toBe(berry);
  expect(await read('node_modules/a/yarn.lock')).toBe(text);
  await sandbox.writeFile('yarn.lock', Buffer.from(`${pointed}${base}new`));
  await sandbox.writeFile('package-lock.json', Buffer.from(`"${base}new"`));
  await addresses.restore();
  expect(await read('yarn.lock')).toBe(`${text}https://registry.yarnpkg.com/new`);
  expect(await read('package-lock.json')).toBe('"https://registry.npmjs.org/new"');
  expect(await read('deep/er/yarn.lock')).toBe(text);
});

test('one lockfile that is too large is refused, and the others are restored', async () => {
  const small = `${head}https://registry.npmjs.org/a\n`;
  const { addresses, read, sandbox } = await open({ 'yarn.lock': small });
  await makeLarge(sandbox, ['large']);
  await sandbox.run({ command: 'head -c 600000 /dev/zero >> large/yarn.lock' });
  const sentence = 'the lockfile "large/yarn.lock" has more than 16000000 bytes';
  await expect(addresses.pointToLoopback()).rejects.toThrow(new LockfilesRefused(sentence));
  expect(await read('yarn.lock')).toContain(base);
  await expect(addresses.restore()).rejects.toThrow(new LockfilesRefused(sentence));
  expect(await read('yarn.lock')).toBe(small);
});

test('lockfiles that are too large together are refused', async () => {
  const { addresses, sandbox } = await open({});
  await makeLarge(sandbox, ['a', 'b', 'c', 'd', 'e']);
  await expect(addresses.pointToLoopback()).rejects.toThrow(/have more than 64000000 bytes together/);
});

test('too many lockfiles are refused', async () => {
  const { addresses, sandbox } = await open({});
  const command = 'i=0; while [ $i -le 500 ]; do mkdir $i; : > $i/yarn.lock; i=$((i+1)); done';
  await sandbox.run({ command });
  await expect(addresses.pointToLoopback()).rejects.toThrow(/more than 500 lockfiles/);
});

test('waits until other installs release the byte budget', async () => {
  const { addresses, budget, read } = await open({ 'yarn.lock': `${head}https://registry.npmjs.org/a\n` });
  let pointing: Promise<void> | undefined;
  await budget.hold(32_000_000, async () => {
    pointing = addresses.pointToLoopback();
    await read('yarn.lock');
    expect(await read('yarn.lock')).not.toContain(base);
  });
  await pointing;
  expect(await read('yarn.lock')).toContain(base);
});

test('the format of a large lockfile is recognised by its first lines', async () => {
  const { sandbox } = await open({ 'package.json': '{}' });
  await makeLarge(sandbox, ['.']);
  await sandbox.run({ command: 'cat yarn.lock yarn.lock yarn.lock > x; mv x yarn.lock' });
  expect(await findPackageManager(sandbox, '')).toMatchObject({ manager: 'yarn-classic' });
  await sandbox.run({ command: 'printf "\\n__metadata:\\n" | cat - yarn.lock > x; mv x yarn.lock' });
  expect(await findPackageManager(sandbox, '')).toMatchObject({ manager: 'yarn' });
});
