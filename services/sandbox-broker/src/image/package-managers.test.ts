import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageManagersFor } from './package-managers.ts';

const manifest = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8');

test.each(['x64', 'arm64'] as const)("the image's pnpm for %s is the workspace's", (architecture) => {
  const version = JSON.parse(manifest).packageManager.replace('pnpm@', '');
  expect(packageManagersFor(architecture).pnpm?.spec).toBe(`@pnpm/exe.linux-${architecture}@${version}`);
});
