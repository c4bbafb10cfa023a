/**
 * Each container has its own uid. The kernel counts some resources by user (inotify watches, pending signals, pipe pages),
 * so containers with the same uid could exhaust each other's. Neither Debian nor systemd assigns these uids; the bubblewrap
 * backend uses the range above them. All are in /etc/passwd of infra/images/sandbox.Dockerfile, and share the group that
 * owns the sandbox folder.
 */
import type { Engine } from '../engine/connect-engine.ts';
import { labels } from './labels.ts';

const firstUser = 60_601;
const userCount = 400;
const engineTimeoutMs = 30_000;
export const sandboxGroup = 1001;
/** An image with these users has this label. */
export const usersLabel = {
  name: 'fettle.sandbox.users',
  value: `${firstUser}-${firstUser + userCount - 1}`,
};

/** Returns a uid that is not taken, as long as there is one. */
export function chooseUser(taken: readonly number[], start = Math.floor(Math.random() * userCount)): number {
  const all = Array.from({ length: userCount }, (_, index) => firstUser + ((start + index) % userCount));
  return all.find((user) => !taken.includes(user)) ?? (all[0] as number);
}

/** The uids of all sandboxes on the engine, including those of other brokers and leftovers of a killed one. */
export async function readTakenUsers(engine: Engine): Promise<number[]> {
  const containers = await engine.listContainers({
    all: true,
    filters: { label: [labels.user] },
    abortSignal: AbortSignal.timeout(engineTimeoutMs),
  });
  return containers.map(({ Labels }) => Number(Labels[labels.user]));
}
