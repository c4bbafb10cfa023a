import type { Repository } from '../state/model.ts';

const queues = new WeakMap<Repository, Promise<unknown>>();

/** One change of branches at a time for each repository, so that each move is seen once and by itself. */
export function inTurn<T>(repository: Repository, work: () => Promise<T>): Promise<T> {
  const previous = queues.get(repository) ?? Promise.resolve();
  const next = previous.then(work);
  // A failure is reported to the caller of this work, not to the next one.
  queues.set(
    repository,
    next.catch(() => {}),
  );
  return next;
}
