/** The check run `fettle` on the head commit: the result, and the findings of the review as annotations. */
import { z } from 'zod';
import type { Proposal, ProposalFacts } from '../forge.ts';
import { describeCheck } from './describe-proposal.ts';
import { type Place, paramsOf } from './pull-request.ts';

const checkName = 'fettle';
const runsSchema = z.object({
  check_runs: z.array(z.object({ id: z.int(), external_id: z.string().nullable() })),
});

export async function reportCheck(
  { octokit, name }: Place,
  proposal: Pick<Proposal, 'operationId' | 'headCommit' | 'draft'>,
  facts: ProposalFacts,
): Promise<void> {
  const { operationId, headCommit } = proposal;
  const repository = paramsOf(name);
  const { data } = await octokit.request('GET /repos/{owner}/{repo}/commits/{ref}/check-runs', {
    ...{ ...repository, ref: headCommit, check_name: checkName },
  });
  const known = runsSchema.parse(data).check_runs.find(({ external_id }) => external_id === operationId);
  const result = { status: 'completed' as const, ...describeCheck(proposal, facts) };
  if (known)
    await octokit.request('PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}', {
      ...{ ...repository, check_run_id: known.id },
      ...result,
      // GitHub would add them to those of the first time.
      output: { ...result.output, annotations: [] },
    });
  else
    await octokit.request('POST /repos/{owner}/{repo}/check-runs', {
      ...{ ...repository, name: checkName, head_sha: headCommit, external_id: operationId },
      ...result,
    });
}
