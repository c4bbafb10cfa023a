import { z } from 'zod';
import { type GithubClient, placeOf } from '../context.ts';
import { type CheckRun, checkRunSchema } from '../events/payloads.ts';

const listSchema = z.object({ check_runs: z.array(checkRunSchema) });

/** The runs of a check on a commit, newest first. */
export async function listCheckRuns(
  client: GithubClient,
  { repository, ref, name }: { repository: string; ref: string; name: string },
): Promise<CheckRun[]> {
  const { data } = await client.request('GET /repos/{owner}/{repo}/commits/{ref}/check-runs', {
    ...placeOf(repository),
    ...{ ref, check_name: name, filter: 'latest', per_page: 100 },
  });
  return listSchema.parse(data).check_runs.toSorted((a, b) => b.id - a.id);
}
