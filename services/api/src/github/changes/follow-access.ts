/** The App was suspended, removed or restored: operations pause while Fettle has no access, and resume after that. */
import { FettleError, messageStates, type Operation, type State } from '@fettle/contract';
import { pauseWork, resumeWork } from '../../operations/stop-work.ts';
import type { EventContext } from '../context.ts';
import type { EffectResult } from '../deliveries/run-deliveries.ts';

/** The name under which operations are paused. What people paused stays paused. */
const pausedBy = 'GitHub, where the App has no access';
const noAccess: readonly string[] = ['repository_not_found', 'forge_refused'];

export interface AccessChange {
  /** All repositories of this account. */
  owner?: string | undefined;
  names?: string[];
}

/** Asks for the access of each repository, so that the order of events does not matter. */
export async function followAccess(
  context: EventContext,
  { owner, names = [] }: AccessChange,
): Promise<EffectResult> {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  const known = await context.dependencies.database.repositories.list('github');
  const concerned = known.filter(({ name }) => {
    const lower = name.toLowerCase();
    return wanted.has(lower) || (owner !== undefined && lower.startsWith(`${owner.toLowerCase()}/`));
  });
  const changed: string[] = [];
  for (const { id, name } of concerned) {
    const isReachable = await canReach(context, name);
    for (const operation of await listConcerned(context, id, isReachable)) {
      await (isReachable ? resume(context, operation) : pause(context, operation));
      changed.push(operation.id);
    }
  }
  if (changed.length === 0) return { ignored: 'no operation is concerned' };
  return { did: `paused or resumed ${changed.join(', ')}`.slice(0, 400) };
}

async function canReach({ github }: EventContext, name: string): Promise<boolean> {
  try {
    const client = await github.clientFor(name);
    const [owner = '', repo = ''] = name.split('/');
    await client.request('GET /repos/{owner}/{repo}', { owner, repo });
    return true;
  } catch (error) {
    if (error instanceof FettleError && noAccess.includes(error.code)) return false;
    if ([401, 403, 404].includes((error as { status?: number }).status ?? 0)) return false;
    throw error;
  }
}

const pausable: readonly State[] = messageStates.filter(
  (state) => state !== 'paused' && state !== 'awaiting_plan',
);

async function listConcerned(
  { dependencies }: EventContext,
  repositoryId: string,
  isReachable: boolean,
): Promise<Operation[]> {
  const { operations } = dependencies.database;
  return isReachable
    ? operations.listPausedBy({ repositoryId, by: pausedBy })
    : operations.listInRepository({ repositoryId, states: pausable });
}

async function pause({ dependencies, organizationId }: EventContext, { id }: Operation): Promise<void> {
  await pauseWork(dependencies, { id, organizationId, by: pausedBy }).catch(ignoreConflict);
}

async function resume({ dependencies, organizationId }: EventContext, { id }: Operation): Promise<void> {
  await resumeWork(dependencies, { id, organizationId, by: 'GitHub, where the App has access again' }).catch(
    ignoreConflict,
  );
}

/** Its state changed meanwhile. */
function ignoreConflict(error: unknown): void {
  if (!(error instanceof FettleError) || error.code !== 'conflict') throw error;
}
