import type { Event, OperationDetail } from '@fettle/contract';
import { expect } from 'vitest';
import type { Platform } from '../../support/platform.ts';
import { findFaults, type Git } from './check-operation.ts';

/** Waits until the operation has settled, once or several times: a complete proposal, with nothing lost or repeated. */
export async function expectProposal(
  platform: Platform,
  repository: Git,
  id: string,
  { times = 1 } = {},
): Promise<{ operation: OperationDetail; events: Event[] }> {
  const events = await platform.follow(id, { times });
  const operation = await platform.get(id);
  const faults = findFaults(operation, events, repository);
  expect({ id, faults }).toEqual({ id, faults: [] });
  expect(operation.outcome).toMatchObject({ kind: 'proposal', draft: false });
  return { operation, events };
}
