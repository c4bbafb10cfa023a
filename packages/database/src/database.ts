import { allowSecret, disallowSecret, listAllowances } from './allowances.ts';
import { addAuditEntry, listAuditEntries } from './audit.ts';
import { type Client, createClient } from './client.ts';
import type { Connection } from './connection/connection.ts';
import { listDenials, reportDenials } from './denials.ts';
import {
  appendEvents,
  listEvents,
  listEventsOfType,
  listLastEvents,
  readLastPosition,
  readPlace,
} from './events.ts';
import {
  countDeliveries,
  delayDelivery,
  endDelivery,
  findWaitingDelivery,
  forgetDeliveries,
  hasEffect,
  listDueDeliveries,
  listUnknownDeliveries,
  readCursor,
  receiveDelivery,
  writeCursor,
} from './forge/deliveries.ts';
import {
  addFeedback,
  batchFeedback,
  closeFeedback,
  countRepairs,
  listOpenFeedback,
  noteRevision,
} from './forge/feedback.ts';
import { addReply, endReply, listDueReplies } from './forge/replies.ts';
import {
  findOperationAt,
  findOperationByHead,
  findProposer,
  findPullRequestPlace,
  listThreadsToShow,
  noteThread,
  openThread,
} from './forge/threads.ts';
import { addMessage, listMessages, listSaid } from './messages.ts';
import { cancelOperation } from './operations/cancel-operation.ts';
import { claimOperation } from './operations/claim-operation.ts';
import { listCleanUps, listLeftovers, noteCleanUp } from './operations/clean-up.ts';
import { createOperation, findEarlierOperation } from './operations/create-operation.ts';
import {
  getOperation,
  listInRepository,
  listOperations,
  listPausedBy,
} from './operations/find-operations.ts';
import { followPullRequest } from './operations/follow-pull-request.ts';
import { pauseOperation, resumeOperation } from './operations/pause-operation.ts';
import { releaseOperation, takeFromLostWorker } from './operations/release-operation.ts';
import { startRevision } from './operations/start-revision.ts';
import {
  expireOperation,
  listEndedBefore,
  listInStates,
  listQueued,
  listStreams,
  listWorked,
} from './operations/watch-operations.ts';
import {
  heartbeat,
  readOwned,
  settleOperation,
  transitionOperation,
} from './operations/work-on-operation.ts';
import { dropEventsBefore, listPending, listPendingFor, markDelivered } from './outbox.ts';
import { listOpenParts, listParts } from './parts.ts';
import { createToken, ensureInstallation, ensureLogin, findToken, revokeToken } from './people.ts';
import { decidePlan, getPlan, proposePlan } from './plans.ts';
import {
  findPullRequest,
  getPullRequest,
  listPullRequests,
  listPullRequestsToClose,
  notePullRequest,
  openPullRequest,
} from './pull-requests.ts';
import { ensureRepository, findRepositoryByName, getRepository, listRepositories } from './repositories.ts';

const stores = {
  people: { ensureInstallation, ensureLogin, findToken, createToken, revokeToken },
  repositories: {
    ensure: ensureRepository,
    get: getRepository,
    findByName: findRepositoryByName,
    list: listRepositories,
  },
  operations: {
    create: createOperation,
    findEarlier: findEarlierOperation,
    get: getOperation,
    list: listOperations,
    listInRepository,
    listPausedBy,
    claim: claimOperation,
    heartbeat,
    owned: readOwned,
    transition: transitionOperation,
    settle: settleOperation,
    release: releaseOperation,
    cancel: cancelOperation,
    pause: pauseOperation,
    resume: resumeOperation,
    revise: startRevision,
    followPullRequest,
    listWorked,
    listEndedBefore,
    listQueued,
    listStreams,
    listLeftovers,
    listCleanUps,
    noteCleanUp,
    takeFromLostWorker,
    listInStates,
    expire: expireOperation,
  },
  events: {
    append: appendEvents,
    list: listEvents,
    listOfType: listEventsOfType,
    listLast: listLastEvents,
    lastPosition: readLastPosition,
    place: readPlace,
    listParts,
    listOpenParts,
  },
  denials: { list: listDenials, report: reportDenials },
  messages: { add: addMessage, list: listMessages, listSaid },
  plans: { propose: proposePlan, get: getPlan, decide: decidePlan },
  outbox: { pending: listPending, pendingFor: listPendingFor, markDelivered, dropEventsBefore },
  pullRequests: {
    open: openPullRequest,
    get: getPullRequest,
    find: findPullRequest,
    list: listPullRequests,
    listToClose: listPullRequestsToClose,
    note: notePullRequest,
  },
  allowances: { allow: allowSecret, disallow: disallowSecret, list: listAllowances },
  audit: { add: addAuditEntry, list: listAuditEntries },
  forgeEvents: {
    receive: receiveDelivery,
    findWaiting: findWaitingDelivery,
    listDue: listDueDeliveries,
    hasEffect,
    end: endDelivery,
    delay: delayDelivery,
    listUnknown: listUnknownDeliveries,
    count: countDeliveries,
    forget: forgetDeliveries,
    readCursor,
    writeCursor,
  },
  threads: {
    open: openThread,
    listToShow: listThreadsToShow,
    note: noteThread,
    findOperation: findOperationAt,
    findProposer,
    findByHead: findOperationByHead,
    findPullRequest: findPullRequestPlace,
  },
  feedback: {
    add: addFeedback,
    listOpen: listOpenFeedback,
    countRepairs,
    batch: batchFeedback,
    noteRevision,
    close: closeFeedback,
  },
  replies: { add: addReply, listDue: listDueReplies, end: endReply },
};
type Stores = typeof stores;

/** A store's functions without their first argument, the client. */
type Bound<Store> = {
  [Name in keyof Store]: Store[Name] extends (client: Client, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

export type Database = { [Name in keyof Stores]: Bound<Stores[Name]> } & {
  /** Fails if the database does not answer. */
  ping(): Promise<void>;
  /** Fails if the database answers but cannot write. */
  assertWrites(): Promise<void>;
  close(): Promise<void>;
};

export function createDatabase(connection: Connection): Database {
  const client = createClient(connection.adapter);
  const bind = <Store extends object>(store: Store) => {
    const entries = Object.entries(store) as [string, (client: Client, ...rest: unknown[]) => unknown][];
    return Object.fromEntries(
      entries.map(([name, run]) => [name, (...rest: unknown[]) => run(client, ...rest)]),
    ) as Bound<Store>;
  };
  return {
    people: bind(stores.people),
    repositories: bind(stores.repositories),
    operations: bind(stores.operations),
    events: bind(stores.events),
    denials: bind(stores.denials),
    messages: bind(stores.messages),
    plans: bind(stores.plans),
    outbox: bind(stores.outbox),
    pullRequests: bind(stores.pullRequests),
    allowances: bind(stores.allowances),
    audit: bind(stores.audit),
    forgeEvents: bind(stores.forgeEvents),
    threads: bind(stores.threads),
    feedback: bind(stores.feedback),
    replies: bind(stores.replies),
    ping: async () => {
      await connection.query('SELECT 1');
    },
    assertWrites: async () => {
      await connection.query('UPDATE organization SET name = name');
    },
    close: async () => {
      await client.$disconnect();
      await connection.close();
    },
  };
}
