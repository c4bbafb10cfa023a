import { FettleError } from '@fettle/contract';
import type { FoundRepository } from '@fettle/forge';
import type { EventContext } from '../context.ts';
import type { EffectResult } from '../deliveries/run-deliveries.ts';
import type { Payload } from '../events/payloads.ts';
import { followAccess } from './follow-access.ts';

/** A repository was renamed or transferred: its record follows. Its id on GitHub stays. */
export async function followRepository(
  context: EventContext,
  { repository: { id: githubId, full_name: name } }: Payload<'repository'>,
): Promise<EffectResult> {
  const { dependencies, github, organizationId } = context;
  const { repositories } = dependencies.database;
  const stored = (await repositories.list('github')).find((each) => each.githubId === githubId);
  if (!stored) return { ignored: 'Fettle has not worked in this repository' };
  const found = await findCurrent(context, name);
  const isRenamed = (found?.name ?? name) !== stored.name;
  const url = `${github.url}/${name}.git`;
  if (found) await repositories.ensure({ organizationId, forge: 'github', ...found });
  else if (isRenamed) await repositories.ensure({ ...withoutId(stored), organizationId, name, url });
  const access = await followAccess(context, { names: [found?.name ?? name] });
  return isRenamed ? { did: `renamed ${stored.name} to ${found?.name ?? name}` } : access;
}

const withoutId = <T extends { id: string }>({ id: _, ...rest }: T) => rest;

/** Its present name and installation. Undefined if it was deleted, or transferred to an owner without the App. */
async function findCurrent({ github }: EventContext, name: string): Promise<FoundRepository | undefined> {
  try {
    return await github.findRepository(name);
  } catch (error) {
    if (error instanceof FettleError && error.code === 'repository_not_found') return undefined;
    throw error;
  }
}
