/** Many operations with one worker leave nothing on the machine. `npm run soak` does the same for longer. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, test, vi } from 'vitest';
import { findProcesses } from '../../infra/testing/find-processes.ts';
import { errandFiles } from '../faults/support/errands.ts';
import { listOfBrokers } from '../support/brokers.ts';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import type { Platform } from '../support/platform.ts';
import { listSandboxFolders } from '../support/sandbox-folders.ts';
import { sandboxes, settingsFor } from '../support/sandbox-settings.ts';

const rounds = 25;
const mend = conversation('mend', [
  turn(call('edit_file', { path: 'sum.txt', edits: [{ old: 'sum 4', new: 'sum 5' }] })),
  turn(call('run_command', { command: 'setsid sleep 600 & echo left' })),
  turn(say('Mended')),
]);

async function takeStock({ home, worker }: Platform) {
  return {
    handles: readdirSync(`/proc/${worker.pid}/fd`).length,
    processes: findProcesses(home).length,
    folders: listSandboxFolders(home).length,
    onEngine: (await listOfBrokers()).length,
    inMirrors: readdirSync(join(home, 'mirrors'), { recursive: true }).filter((path) =>
      /(^|\/)tree-/.test(String(path)),
    ).length,
  };
}

test.for(sandboxes)(`${rounds} operations in $name leave nothing behind`, async (sandbox, { skip }) => {
  skip(sandbox.missing !== '', sandbox.missing);
  const settings = { ...(await settingsFor(sandbox.name)), FETTLE_COMMANDS: 'contained' };
  const platform = await openPlatform({ conversations: [mend], settings });
  const repository = openRepository(errandFiles);
  async function runOne(): Promise<void> {
    const { operation } = await platform.run(repository.request('fix', 'the sum is wrong'));
    expect(operation.outcome).toMatchObject({ kind: 'proposal' });
  }
  // Connections, a spare sandbox and git's own processes are there from the first ones on.
  for (let round = 0; round < 3; round++) await runOne();
  const before = await settle(platform);
  for (let round = 0; round < rounds; round++) await runOne();
  await vi.waitFor(async () => {
    const { handles, ...after } = await takeStock(platform);
    const { handles: handlesBefore, ...known } = before;
    expect(after).toEqual(known);
    expect(handles).toBeLessThanOrEqual(handlesBefore + 3);
  }, 30_000);
});

/** Waits until nothing changes any more. */
async function settle(platform: Platform): ReturnType<typeof takeStock> {
  for (let last = ''; ; ) {
    const stock = await takeStock(platform);
    if (JSON.stringify(stock) === last) return stock;
    last = JSON.stringify(stock);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
  }
}
