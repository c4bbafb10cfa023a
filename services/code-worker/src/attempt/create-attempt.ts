import { type Claim, type EventBody, FettleError, type State, type TransitionInput } from '@fettle/contract';
import { type GitAccess, isRemote, protocolsOf } from '../mirror/git-access.ts';
import { createCommandRemarks } from '../propose/remarks.ts';
import { waitForSlot } from '../sandboxes/wait-for-slot.ts';
import { createMasking } from '../secrets/masking/create-masking.ts';
import type { Attempt, Messages, OperationRecord, OperationState, Ownership, Stop } from './attempt.ts';
import { isMessagesPending } from './ends.ts';
import { createAppender } from './record.ts';
import { interruptRetryPauses, Stopped, type StopSwitch } from './stop-switch.ts';
import type { RunningAttempt, Worker } from './worker.ts';

/** Binds one attempt to its claim: every event, transition and proposal carries the claim's fencing number. */
export function createAttempt(worker: Worker, claim: Claim, running: RunningAttempt): Attempt {
  const { api, config, log, redaction, registry, toolchain, listPrograms, gitleaks } = worker;
  const { fence, operation } = claim;
  const { id } = operation;
  const { stopSwitch } = running;
  const { signal } = stopSwitch;
  const binding = { ...worker, ...running, claim, id, fence, signal };
  const startedAt = performance.now();
  const stop = createStop(stopSwitch);
  const state = createState(binding);
  return {
    claim,
    config,
    log,
    model: interruptRetryPauses(worker.models.choose(operation.request.model), stopSwitch),
    spent: { totals: { ...operation.totals }, seconds: () => (performance.now() - startedAt) / 1000 },
    stop,
    record: createRecord(binding),
    messages: createMessages(binding),
    state,
    ownership: createOwnership(binding, state),
    checkpoints: {
      put: (commit, bytes) => api.putCheckpoint(id, { fence, commit, bytes }, signal),
      get: (commit) => api.getCheckpoint(id, { fence, commit }, signal),
    },
    publish: {
      openPullRequest: (proposal) => api.propose(id, { ...proposal, fence }, signal),
      readLeftovers: () => api.leftovers(id),
    },
    sandboxes: {
      take: () => waitForSlot(() => worker.sandboxes.take(id), stop),
      ...{ registry, toolchain, listPrograms },
    },
    secrets: {
      masking: createMasking({ ...config, maskOwn: redaction.own }, id),
      redaction,
      gitleaks,
      readAllowances: () => api.allowances(id, fence, signal),
    },
  };
}

interface Binding extends Worker, RunningAttempt {
  claim: Claim;
  id: string;
  fence: number;
  signal: AbortSignal;
}

function createStop({ signal, yielding }: StopSwitch): Stop {
  return {
    signal,
    shouldYield: () => yielding() !== undefined,
    yieldIfAsked() {
      const asked = yielding();
      if (asked) throw asked;
    },
    yieldError: () => yielding() ?? new Stopped('paused'),
  };
}

function createRecord({ api, redis, redaction, inbox, id, fence, signal }: Binding): OperationRecord {
  const commandRemarks = createCommandRemarks();
  function observe(events: EventBody[]): void {
    inbox.observe(events);
    commandRemarks.observe(events);
  }
  return {
    append: createAppender({ redis, operationId: id, fence, redaction, signal, onAppended: observe }),
    async read() {
      const events = await api.readRecord(id, fence, signal);
      observe(events);
      return events;
    },
    commandRemarks: commandRemarks.list,
  };
}

function createMessages({ api, inbox, id, fence, signal }: Binding): Messages {
  const read = (after: number) => api.readMessages(id, { fence, after }, signal);
  return {
    take: () => inbox.take(read),
    lastDelivered: inbox.lastDelivered,
    async readDelivered() {
      const last = inbox.lastDelivered();
      return last === 0 ? [] : (await read(0)).filter(({ number }) => number <= last);
    },
  };
}

function createState({ api, inbox, id, fence, signal }: Binding): OperationState {
  let state: State = 'preparing';
  async function move(to: State, more: Pick<TransitionInput, 'message' | 'delivered'>): Promise<void> {
    signal.throwIfAborted();
    await api.transition(id, { fence, from: state, to, ...more }, signal);
    state = to;
  }
  return {
    current: () => state,
    moveTo: (next, message) => move(next, message === undefined ? {} : { message }),
    async startProposing({ canStillAct }) {
      try {
        await move('proposing', canStillAct ? { delivered: inbox.lastDelivered() } : {});
        return true;
      } catch (error) {
        if (!isMessagesPending(error)) throw error;
        inbox.notify();
        return false;
      }
    },
  };
}

function createOwnership(binding: Binding, state: OperationState): Ownership {
  const { api, redaction, claim, id, fence, signal } = binding;
  const { leaseSeconds, source } = claim;
  let access: GitAccess = { protocols: protocolsOf(source.url) };
  return {
    async assertOwned() {
      let askedAt: number;
      do {
        signal.throwIfAborted();
        askedAt = performance.now();
        await api.transition(id, { fence, from: state.current(), to: state.current() }, signal);
        // The process may have been suspended while it waited. Each request renews the lease when it is made, so an
        // answer older than half a lease does not prove that the lease is still held.
      } while (performance.now() - askedAt > (leaseSeconds * 1000) / 2);
    },
    async gitAccess({ refused } = {}) {
      if (!isRemote(source.url) || signal.aborted) return access;
      try {
        const token = await api.gitToken(id, { fence, refused }, signal);
        redaction.register(token);
        access = { ...access, token };
      } catch (error) {
        // The operation has ended. The earlier token still serves to remove a pushed branch.
        if (!(error instanceof FettleError && error.code === 'conflict')) throw error;
      }
      return access;
    },
  };
}
