export { acquireSingleInstanceLock, type SingleInstanceLock } from './connection/single-instance-lock.ts';
export type { Database } from './database.ts';
export { describeOutage, isDatabaseAway, isInvalidData } from './database-outage.ts';
export { DatabaseError } from './errors.ts';
export { openDatabase } from './open-database.ts';
export type { WorkedOperation } from './operations/watch-operations.ts';
export type { OutboxEntry } from './outbox.ts';
export type { PullRequest } from './pull-requests.ts';
