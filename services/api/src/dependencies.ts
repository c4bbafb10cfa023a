/** What routes and operations use. `start-api.ts` creates each of these once. */
import type { Database } from '@fettle/database';
import type { Forge, Github } from '@fettle/forge';
import type { Log } from '@fettle/log';
import type { CodeQueue, Redis } from '@fettle/queue';
import type { Redaction } from '@fettle/secrets';
import type { CheckpointStore } from './checkpoints/checkpoint-store.ts';
import type { Config } from './config.ts';
import type { EventTail } from './events/event-tail.ts';
import type { EventStorage } from './events/store-events.ts';
import type { Outbox } from './outbox/outbox.ts';
import type { WorkerLiveness } from './reconcile/worker-liveness.ts';
import type { RedisWatch } from './redis/redis-watch.ts';
import type { KnownWorkers } from './workers/known-workers.ts';

export interface Dependencies {
  config: Pick<
    Config,
    | 'workerKey'
    | 'requestsPerMinute'
    | 'budgets'
    | 'leaseSeconds'
    | 'maxLost'
    | 'maxRevisions'
    | 'proposalLimits'
    | 'github'
  >;
  database: Database;
  redis: Redis;
  redisWatch: RedisWatch;
  queue: CodeQueue;
  outbox: Outbox;
  tail: EventTail;
  liveness: WorkerLiveness;
  storage: EventStorage;
  checkpoints: CheckpointStore;
  /** What workers report of themselves. */
  workers: KnownWorkers;
  forge: Forge;
  /** Undefined if GitHub is not connected. */
  github: Github | undefined;
  /** Removes secrets from everything that people see. */
  redaction: Redaction;
  log: Log;
}
