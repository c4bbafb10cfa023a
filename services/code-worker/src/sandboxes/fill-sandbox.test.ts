import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox } from '@fettle/sandbox';
import { expect, onTestFinished, test } from 'vitest';
import type { Attempt } from '../attempt/attempt.ts';
import { makeRepository } from '../testing/make-repository.ts';
import { openFolder } from '../testing/open-folder.ts';
import { fillSandbox } from './fill-sandbox.ts';

test('a sandbox that is filled without onEquipped, like a fresh or base sandbox, has the tools of the repository', async () => {
  const tools = openFolder();
  mkdirSync(join(tools, 'pnpm-9.0.0', 'bin'), { recursive: true });
  writeFileSync(join(tools, 'pnpm-9.0.0', 'bin', 'pnpm'), '#!/bin/sh\necho 9.0.0\n', { mode: 0o755 });
  const repository = await makeRepository();
  const commit = await repository.commit({ 'package.json': '{"packageManager":"pnpm@9.0.0"}' });
  const pnpm = { tool: 'pnpm' as const, version: '9.0.0', source: 'package.json', folder: 'pnpm-9.0.0' };
  const attempt = {
    sandboxes: {
      registry: { names: [] },
      toolchain: { prepare: async () => ({ tools: [pnpm], problems: [] }) },
    },
    stop: { signal: new AbortController().signal },
  } as unknown as Pick<Attempt, 'sandboxes' | 'stop'>;
  const starting = startSandbox({ backend: 'process', folder: openFolder(), tools });
  const sandbox = await fillSandbox(attempt, starting, {
    ...{ mirror: repository.mirror, commit, branch: 'main' },
  });
  onTestFinished(() => sandbox.close());
  expect((await sandbox.run({ command: 'pnpm --version' })).output).toBe('9.0.0\n');
});
