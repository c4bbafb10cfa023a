import { type Claim, type EventBody, FettleError, type State } from '@fettle/contract';
import { appendEvents, claimKey, whenWritable } from '@fettle/queue';
import { type GitAccess, isRemote, protocolsOf } from '../mirror/git-access.ts';
import { createRemarkBook } from '../propose/remark-book.ts';
import { waitForPlace } from '../sandboxes/wait-for-slot.ts';
import { createMasking } from '../secrets/masking/create-masking.ts';
import { redactEvent } from '../secrets/redact-event.ts';
import { apiPatienceMs } from './api-client.ts';
import type { Work } from './attempt.ts';
import type { Mailbox } from './inbox.ts';
import { restBetweenTries } from './rest-between-tries.ts';
import type { Worker } from './run-attempt.ts';
import type { StopSwitch } from './stop-switch.ts';
import { Stopped } from './stopped.ts';

/** How long a Redis is waited for that is there and cannot write. */
const redisPatienceMs = 2 * 60_000;

/** By what an attempt can be reached while it works. */
export interface Reach {
  stopSwitch: StopSwitch;
  mailbox: Mailbox;
}

/** Binds one attempt to its claim: every event, transition and proposal carries the claim's number. */
export function createWork(
  { api, config, log, model, redaction, redis, registry, sandboxes, secondOpinion }: Worker,
  claim: Claim,
  { stopSwitch, mailbox }: Reach,
): { work: Work; state(): State } {
  const { fence, leaseSeconds, operation, source } = claim;
  const { id } = operation;
  const { signal } = stopSwitch;
  const startedAt = performance.now();
  const totals = { ...operation.totals };
  const remarkBook = createRemarkBook();
  let state: State = 'preparing';
  let recorded = 0;
  let acknowledged = claimKey(fence);
  let latest = Promise.resolve();
  let access: GitAccess = { protocols: protocolsOf(source.url) };

  async function append(events: EventBody[]): Promise<void> {
    signal.throwIfAborted();
    const key = `${fence}.${++recorded}`;
    // What was acknowledged and is lost would leave a hole: whoever goes on begins where the record ends.
    const redacted = events.map((event) => redactEvent(redaction, event));
    const send = () => appendEvents(redis, id, redacted, { key, fence, after: acknowledged });
    const patience = { signal, patienceMs: redisPatienceMs, admissionPatienceMs: apiPatienceMs };
    // While Redis is away it waits; a stop does not.
    await untilAborted(whenWritable(send, patience), signal);
    if (events.length > 0) acknowledged = key;
    mailbox.note(events);
    remarkBook.note(events);
  }

  const work: Work = {
    claim,
    config,
    log,
    model: restBetweenTries(model, stopSwitch),
    redaction,
    masking: createMasking({ ...config, maskOwn: redaction.own }, id),
    registry,
    secondOpinion,
    signal,
    totals,
    takeSandbox: () => waitForPlace(() => sandboxes.take(id), work),
    secondsSpent: () => (performance.now() - startedAt) / 1000,
    record(...events) {
      // One after another, in the order in which they were given.
      const recording = latest.then(() => append(events));
      latest = recording.catch(() => {});
      return recording;
    },
    async readRecord() {
      const events = await api.readRecord(id, fence, signal);
      mailbox.note(events);
      remarkBook.note(events);
      return events;
    },
    takeMessages: () => mailbox.take((after) => api.readMessages(id, { fence, after }, signal)),
    commandRemarks: remarkBook.list,
    heard: mailbox.heard,
    async readHeard() {
      const heard = mailbox.heard();
      if (heard === 0) return [];
      const said = await api.readMessages(id, { fence, after: 0 }, signal);
      return said.filter(({ number }) => number <= heard);
    },
    async startProposing() {
      signal.throwIfAborted();
      try {
        await api.transition(id, { fence, from: state, to: 'proposing', heard: mailbox.heard() }, signal);
        state = 'proposing';
        return true;
      } catch (error) {
        if (!(error instanceof FettleError && error.code === 'unheard')) throw error;
        mailbox.ring();
        return false;
      }
    },
    shouldYield: () => stopSwitch.yielding() !== undefined,
    yieldIfAsked() {
      const asked = stopSwitch.yielding();
      if (asked) throw asked;
    },
    yieldNow: () => stopSwitch.yielding() ?? new Stopped('paused'),
    async gitAccess() {
      if (!isRemote(source.url) || signal.aborted) return access;
      try {
        const token = await api.gitToken(id, fence, signal);
        redaction.register(token);
        access = { ...access, token };
      } catch (error) {
        // Somebody ended it: what was given before serves to take a branch away again.
        if (!(error instanceof FettleError && error.code === 'conflict')) throw error;
      }
      return access;
    },
    async assertOwned() {
      let askedAt: number;
      do {
        signal.throwIfAborted();
        askedAt = performance.now();
        await api.transition(id, { fence, from: state, to: state }, signal);
        // An answer that waited for us while we slept says nothing of now; asking was a sign of life, for one lease.
      } while (performance.now() - askedAt > (leaseSeconds * 1000) / 2);
    },
    readLeftovers: () => api.leftovers(id),
    async moveTo(next, message) {
      signal.throwIfAborted();
      const move = { fence, from: state, to: next, ...(message !== undefined && { message }) };
      await api.transition(id, move, signal);
      state = next;
    },
    readAllowances: () => api.allowances(id, fence, signal),
    openPullRequest: (proposal) => api.propose(id, { ...proposal, fence }, signal),
  };
  return { work, state: () => state };
}

async function untilAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    work.catch(() => {});
  }
}
