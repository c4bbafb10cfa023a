import { type Operation, operationSchema, type Totals, workedStates } from '@fettle/contract';
import type { Transaction } from '../client.ts';
import type { Prisma } from '../generated/client.ts';

/** What has to be read with an operation to show it. */
export const operationInclude = {
  organization: { select: { slug: true } },
  repository: true,
  requestedBy: true,
} as const satisfies Prisma.OperationInclude;
export type OperationRow = Prisma.OperationGetPayload<{ include: typeof operationInclude }>;

export function readOperation(tx: Transaction, id: string): Promise<OperationRow> {
  return tx.operation.findUniqueOrThrow({ where: { id }, include: operationInclude });
}

/** Parsed, so that a row which the contract does not allow is found here and not by a client. */
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

function describeWait({ state, notBefore, pauseAskedBy, outcome }: OperationRow): string | null {
  if (state === 'paused') return `somebody to resume it: ${pauseAskedBy ?? 'a person'} paused it`;
  // After that moment it is like any other that waits.
  if (state === 'queued' && notBefore && notBefore.getTime() > Date.now())
    return `its next attempt at ${notBefore.toISOString()}`;
  if (state === 'queued') return 'a free worker';
  if (state === 'awaiting_plan') return 'somebody to approve, change or cancel its plan';
  if (state === 'awaiting_approval') {
    const { pullRequest } = (outcome ?? {}) as { pullRequest?: { number: number } };
    return `somebody to look at pull request ${pullRequest?.number ?? ''}`.trim();
  }
  const isPausing = pauseAskedBy !== null && (workedStates as readonly string[]).includes(state);
  return isPausing ? `the end of the part that is under way, to pause for ${pauseAskedBy}` : null;
}

export function toColumns({ parts, turns, tokens, usd }: Totals) {
  return { totalParts: parts, totalTurns: turns, totalTokens: tokens, totalUsd: usd };
}
