import { type Operation, operationSchema, type Totals, workedStates } from '@fettle/contract';
import type { Transaction } from '../client.ts';
import type { Prisma } from '../generated/client.ts';

/** The relations that `toOperation` needs. */
export const operationInclude = {
  organization: { select: { slug: true } },
  repository: true,
  requestedBy: true,
} as const satisfies Prisma.OperationInclude;
export type OperationRow = Prisma.OperationGetPayload<{ include: typeof operationInclude }>;

export function readOperation(tx: Transaction, id: string): Promise<OperationRow> {
  return tx.operation.findUniqueOrThrow({ where: { id }, include: operationInclude });
}

/** Parsed, so that a row that violates the contract fails here and not in a client. */
export function toOperation(row: OperationRow): Operation {
  return operationSchema.parse({
    id: row.id,
    state: row.state,
    kind: row.kind,
    priority: row.priority,
    request: row.request,
    repository: row.repository.name,
    requestedBy: row.requestedBy.name,
    attempts: row.attemptCount,
    revision: row.revision,
    totals: {
      parts: row.totalParts,
      turns: row.totalTurns,
      tokens: Number(row.totalTokens),
      usd: row.totalUsd,
    },
    outcome: row.outcome,
    createdAt: row.createdAt.toISOString(),
    stateSince: row.stateSince.toISOString(),
    waitsFor: describeWait(row),
    settledAt: row.settledAt?.toISOString() ?? null,
  } satisfies Record<keyof Operation, unknown>);
}

function describeWait({ state, notBefore, heldBy, pauseAskedBy, outcome }: OperationRow): string | null {
  if (state === 'paused') return `a resume (paused by ${pauseAskedBy ?? 'a person'})`;
  if (state === 'queued' && heldBy !== null) return heldBy;
  // When that time has passed, it waits for a free worker like any other.
  if (state === 'queued' && notBefore && notBefore.getTime() > Date.now())
    return `its next attempt at ${notBefore.toISOString()}`;
  if (state === 'queued') return 'a free worker';
  if (state === 'awaiting_plan') return 'a decision about its plan: approve, change or cancel';
  if (state === 'awaiting_approval') {
    const { pullRequest } = (outcome ?? {}) as { pullRequest?: { number: number } };
    return `a review of pull request ${pullRequest?.number ?? ''}`.trim();
  }
  const isPausing = pauseAskedBy !== null && (workedStates as readonly string[]).includes(state);
  return isPausing ? `the end of the running part (pause requested by ${pauseAskedBy})` : null;
}

export function toColumns({ parts, turns, tokens, usd }: Totals) {
  return { totalParts: parts, totalTurns: turns, totalTokens: tokens, totalUsd: usd };
}
