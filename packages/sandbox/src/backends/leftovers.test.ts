import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { findNamedProcesses } from '../proc/processes.ts';
import { countProcesses, uniqueSleep } from '../testing/count-processes.ts';
import { listSandboxFolders, startTestSandbox } from '../testing/test-sandbox.ts';
import { clearLeftovers, tryEach } from './leftovers.ts';

const program = fileURLToPath(new URL('../testing/host-process.ts', import.meta.url));

/** Starts a worker with a running command, signals its toolbox, then kills the worker. */
async function abandon(folder: string, signal: NodeJS.Signals) {
  const sleep = uniqueSleep();
  const known = listSandboxFolders(folder);
  const host = spawn(process.execPath, [program, folder, sleep], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(host, 'exit');
  await once(host.stdout, 'data');
  const [name = ''] = listSandboxFolders(folder).filter((each) => !known.includes(each));
  const toolbox = findNamedProcesses(name).find(({ parent }) => parent === host.pid);
  // A stopped worker cannot clean up after its toolbox.
  host.kill('SIGSTOP');
  process.kill(toolbox?.pid ?? expect.fail('no toolbox'), signal);
  host.kill('SIGKILL');
  await exited;
  return { name, sleep };
}

it('removes the leftovers of killed and stopped sandboxes, and nothing else', async () => {
  const { sandbox, folder } = await startTestSandbox();
  const [living = ''] = listSandboxFolders(folder);
  const killed = await abandon(folder, 'SIGKILL');
  const frozen = await abandon(folder, 'SIGSTOP');
  const elsewhere = 'sandbox-00000000-1-1-abcdef';
  mkdirSync(join(folder, elsewhere));
  expect(listSandboxFolders(folder).toSorted()).toEqual(
    [living, killed.name, frozen.name, elsewhere].toSorted(),
  );
  for (const { sleep } of [killed, frozen]) expect(countProcesses(sleep)).toBeGreaterThanOrEqual(2);

  const cleared = await Promise.all([clearLeftovers(folder), clearLeftovers(folder)]);
  for (const names of cleared) expect(names.toSorted()).toEqual([killed.name, frozen.name].toSorted());
  expect(listSandboxFolders(folder).toSorted()).toEqual([living, elsewhere].toSorted());
  for (const { sleep } of [killed, frozen]) expect(countProcesses(sleep)).toBe(0);
  expect(await sandbox.run({ argv: ['echo', 'alive'] })).toMatchObject({ output: 'alive\n' });
  expect(await clearLeftovers(join(folder, 'nothing there'))).toEqual([]);
  rmdirSync(join(folder, elsewhere));
});

it('continues after a failure, and throws all failures at the end', async () => {
  const tried: number[] = [];
  const work = async (item: number) => {
    tried.push(item);
    if (item !== 2) throw new Error(`${item} is busy`);
  };
  await expect(tryEach([1, 2, 3], work)).rejects.toThrow('Error: 1 is busy; Error: 3 is busy');
  expect(tried).toEqual([1, 2, 3]);
});
