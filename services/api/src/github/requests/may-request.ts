/** Who may make requests. GitHub is asked: what a payload says about its author is not trusted. */
import { readRepositoryConfig } from '@fettle/contract/repository-config';
import { z } from 'zod';
import { type EventContext, type GithubClient, placeOf } from '../context.ts';
import { statusOf } from '../failures.ts';

const permissionSchema = z.object({ permission: z.string() });
const contentSchema = z.object({ content: z.string(), encoding: z.literal('base64') });
const configPath = '.fettle/config.yml';

export interface PermissionQuery {
  client: GithubClient;
  repository: string;
  login: string;
}

/** People who can write to the repository, and those whom the operator or the repository lists. */
export async function mayRequest(context: EventContext, query: PermissionQuery): Promise<boolean> {
  if (context.rules.requesters.includes(query.login.toLowerCase())) return true;
  return (await canWrite(query)) || (await isListed(context, query));
}

async function canWrite({ client, repository, login }: PermissionQuery): Promise<boolean> {
  const route = 'GET /repos/{owner}/{repo}/collaborators/{username}/permission';
  const data = await readIfThere(client.request(route, { ...placeOf(repository), username: login }));
  return data !== undefined && ['write', 'admin'].includes(permissionSchema.parse(data).permission);
}

/** The config of the default branch, which only people with write access can change. */
async function isListed({ github }: EventContext, { repository, login }: PermissionQuery): Promise<boolean> {
  const client = await github.readerFor(repository);
  const route = 'GET /repos/{owner}/{repo}/contents/{path}';
  const data = await readIfThere(client.request(route, { ...placeOf(repository), path: configPath }));
  const file = contentSchema.safeParse(data);
  if (!file.success) return false;
  const reading = readRepositoryConfig(Buffer.from(file.data.content, 'base64').toString());
  return (
    reading.ok && (reading.config.requesters ?? []).some((each) => each.toLowerCase() === login.toLowerCase())
  );
}

async function readIfThere(request: Promise<{ data: unknown }>): Promise<unknown> {
  try {
    return (await request).data;
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}
