/** A mirror that a killed process left locked or damaged: the next operation succeeds, and the repair is reported. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findProcesses } from '../../infra/testing/find-processes.ts';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { errandConversations, errandFiles } from './support/errands.ts';
import { measure, until } from './support/observe.ts';

const platform = await openPlatform({ conversations: errandConversations });
const repository = openRepository(errandFiles);

const request = (description: string) => repository.request('fix', description);

function mirror(): string {
  const folder = join(platform.home, 'mirrors');
  return join(folder, readdirSync(folder)[0] ?? '');
}

test('an empty ref: the mirror is recreated', async () => {
  await platform.run(request('mend for soak-1'));
  writeFileSync(join(mirror(), 'refs/heads/main'), '');
  const { operation } = await platform.run(request('mend for soak-2'));
  expect(operation).toMatchObject({ attempts: 1, outcome: { kind: 'proposal' } });
  expect(platform.worker.log()).toContain('a damaged mirror was rebuilt');
});

test('a lock that may be in use: the operation waits until it is gone', async () => {
  repository.git('commit', '-q', '--allow-empty', '-m', 'more');
  const lock = join(mirror(), 'refs/heads/main.lock');
  writeFileSync(lock, '');
  // Of tomorrow, so that it never looks as if it was left behind.
  const tomorrow = Date.now() / 1000 + 86_400;
  utimesSync(lock, tomorrow, tomorrow);
  const { id } = await platform.create(request('mend for soak-3'));
  await until('a wait', () => platform.worker.log().includes('attempt will be retried later'));
  rmSync(lock);
  await platform.follow(id);
  expect(await platform.get(id)).toMatchObject({ attempts: 2, outcome: { kind: 'proposal' } });
});

test.each([
  ['cannot be tidied up', 'echo "fatal: it cannot be done" >&2; exit 128'],
  ['takes long to be tidied up', 'sleep 97'],
])('an operation ends normally with a mirror that %s', async (_how, repack) => {
  await platform.worker.stop();
  const folder = mkdtempSync(join(tmpdir(), 'fettle-odd-git-'));
  const real = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const script = `#!/bin/sh\ncase " $* " in *" repack "*) touch '${folder}/reached'; ${repack} ;; esac\nexec ${real} "$@"\n`;
  writeFileSync(join(folder, 'git'), script, { mode: 0o755 });
  for (let pack = 0; pack < 50; pack++) writeFileSync(join(mirror(), `objects/pack/pack-${pack}.pack`), '');
  const worker = await platform.startWorker({ PATH: `${folder}:${process.env.PATH}` });
  const { id } = await platform.create(request('mend for soak-4'));
  await until('a look at the packs', () => existsSync(join(folder, 'reached')));
  if (repack.includes('sleep')) {
    await platform.call('POST', `/v1/operations/${id}/cancel`);
    const ms = await measure('cancelled while it is tidied up', () =>
      until('nothing of it runs', () => findProcesses(mirror()).length === 0),
    );
    expect(ms).toBeLessThan(10_000);
  } else {
    await platform.follow(id);
    expect(await platform.get(id)).toMatchObject({ attempts: 1, outcome: { kind: 'proposal' } });
    expect(worker.log()).toContain('could not repack a mirror');
  }
  await worker.stop();
  rmSync(folder, { recursive: true });
});
