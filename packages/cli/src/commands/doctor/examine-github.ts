/** Examines how GitHub is connected, and what a running server has access to. */
import type { Config } from '../../config.ts';
import { listExposed } from '../../github/stored-app.ts';
import { createApiClient } from '../../server/api-client.ts';
import { findServer } from '../../server/find-server.ts';
import type { Diagnosis } from './diagnosis.ts';

const name = 'GitHub';

export async function examineGithub(config: Config): Promise<Diagnosis[]> {
  const exposed = listExposed(config.home);
  if (exposed.length > 0) {
    const message = `other users of this machine can read ${exposed.join(', ')}`;
    return [{ name, state: 'warning', message, advice: `Run 'chmod 600 ${exposed.join(' ')}'.` }];
  }
  const server = await findServer(config).catch(() => undefined);
  if (!server) return [describeSettings(config)];
  try {
    return describeAccess(await createApiClient(server).github());
  } catch (error) {
    return [{ name, state: 'warning', message: (error as Error).message }];
  }
}

function describeSettings({ github: { source } }: Config): Diagnosis {
  if (source === undefined)
    return { name, state: 'ok', message: "not connected; 'fettle github setup' connects it" };
  return { name, state: 'ok', message: `${source}; 'fettle github status' shows what it has access to` };
}

type Status = Awaited<ReturnType<ReturnType<typeof createApiClient>['github']>>;

function describeAccess({ kind, login, installations, notes }: Status): Diagnosis[] {
  if (kind === 'none') return [{ name, state: 'ok', message: notes.join('; ') || 'not connected' }];
  const repositories = installations.reduce((sum, each) => sum + each.repositories.length, 0);
  const access: Diagnosis = { name, state: 'ok', message: `${login}: ${repositories} repositories` };
  const faults = installations.flatMap(({ account, isSuspended, missingPermissions }): string[] => [
    ...(isSuspended ? [`the installation for ${account} is suspended`] : []),
    ...(missingPermissions.length > 0 ? [`${account} lacks ${missingPermissions.join(', ')}`] : []),
  ]);
  const advice = "Accept the permissions in the settings of the App; 'fettle github status' has the details.";
  return [
    access,
    ...faults.map((message): Diagnosis => ({ name, state: 'problem', message, advice })),
    ...notes.map((message): Diagnosis => ({ name, state: 'warning', message })),
  ];
}
