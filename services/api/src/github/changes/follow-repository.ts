import type { EventContext } from '../context.ts';
import type { EffectResult } from '../deliveries/run-deliveries.ts';
import type { Payload } from '../events/payloads.ts';
import { followAccess } from './follow-access.ts';

/** A repository was renamed or transferred: its record follows. GitHub redirects the old address meanwhile. */
export async function followRepository(
  context: EventContext,
  { action, repository: { full_name: name }, changes }: Payload<'repository'>,
): Promise<EffectResult> {
  if (action === 'deleted' || action === 'archived' || action === 'unarchived')
    return followAccess(context, { names: [name] });
  const [owner = '', repo = ''] = name.split('/');
  const { user, organization } = changes?.owner?.from ?? {};
  const oldOwner = user?.login ?? organization?.login ?? owner;
  const before = `${oldOwner}/${changes?.repository?.name.from ?? repo}`;
  if (before === name) return { ignored: 'neither its name nor its owner changed' };
  const { dependencies, github, organizationId } = context;
  const { repositories } = dependencies.database;
  const stored = await repositories.findByName({ organizationId, forge: 'github', name: before });
  if (!stored) return { ignored: 'Fettle has not worked in this repository' };
  const renamed = await repositories.rename({ id: stored.id, name, url: `${github.url}/${name}.git` });
  return renamed ? { did: `renamed ${before} to ${name}` } : { ignored: `${name} is known already` };
}
