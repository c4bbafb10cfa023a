import type { Outcome } from '@fettle/contract';
import { actUntilProven } from './act.ts';
import { prepare } from './prepare.ts';
import { propose } from './propose.ts';
import type { Work } from './work.ts';

/** One attempt at an operation, from a claim to its outcome. */
export async function runOperation(work: Work): Promise<Outcome> {
  const prepared = await prepare(work);
  if (!prepared.ok) return prepared.outcome;
  const { workspace } = prepared;
  try {
    const acted = await actUntilProven(work, workspace);
    return acted.kind === 'change' ? await propose(work, workspace, acted) : acted.outcome;
  } finally {
    await workspace.close();
  }
}
