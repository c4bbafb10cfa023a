/** One pull request per operation: looks for it by its branch before it creates one. */
import { z } from 'zod';
import type { Proposal } from '../forge.ts';
import { markerOf } from './describe-proposal.ts';
import { forgeRefused, isStatus } from './errors.ts';
import type { GithubOctokit } from './octokit.ts';

const pullSchema = z.object({
  number: z.int(),
  node_id: z.string(),
  html_url: z.string(),
  title: z.string(),
  body: z.string().nullable(),
  state: z.enum(['open', 'closed']),
  draft: z.boolean().default(false),
  merged_at: z.string().nullable(),
});
export type Pull = z.infer<typeof pullSchema>;

export type PullState = 'open' | 'draft' | 'merged' | 'closed';

export interface Place {
  octokit: GithubOctokit;
  /** `owner/name` */
  name: string;
}

export interface PullText
  extends Pick<Proposal, 'operationId' | 'branch' | 'baseBranch' | 'draft' | 'title'> {
  body: string;
  /** The number of the pull request, if the operation has one already. */
  number?: number | undefined;
}

export const paramsOf = (name: string) => {
  const [owner = '', repo = ''] = name.split('/');
  return { owner, repo };
};

export function stateOf({ state, draft, merged_at }: Pull): PullState {
  if (merged_at !== null) return 'merged';
  if (state === 'closed') return 'closed';
  return draft ? 'draft' : 'open';
}

export async function ensurePullRequest(
  place: Place,
  text: PullText,
): Promise<{ pull: Pull; isNew: boolean }> {
  const known = await findPullRequest(place, text);
  if (known) return { pull: await update(place, known, text), isNew: false };
  try {
    return { pull: await create(place, text, text.draft), isNew: true };
  } catch (error) {
    if (!isStatus(error, 422)) throw error;
    // Its creation may have succeeded before, without an answer.
    const found = await findPullRequest(place, text);
    if (found) return { pull: await update(place, found, text), isNew: false };
    if (!text.draft || !/draft/i.test(`${error.message} ${JSON.stringify(error.response?.data)}`))
      throw error;
    const title = `Draft: ${text.title}`;
    return { pull: await create(place, { ...text, title }, false), isNew: true };
  }
}

async function findPullRequest({ octokit, name }: Place, text: PullText): Promise<Pull | undefined> {
  const { owner, repo } = paramsOf(name);
  if (text.number !== undefined) {
    const { data } = await octokit.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', {
      ...{ owner, repo, pull_number: text.number },
    });
    return pullSchema.parse(data);
  }
  const { data } = await octokit.request('GET /repos/{owner}/{repo}/pulls', {
    ...{ owner, repo, head: `${owner}:${text.branch}`, state: 'all', per_page: 100 },
  });
  const found = pullSchema.array().parse(data);
  const marker = markerOf(text.operationId);
  // One that a person opened for the branch is used too.
  return found.find(({ body }) => body?.includes(marker)) ?? found.find(({ state }) => state === 'open');
}

async function create({ octokit, name }: Place, text: PullText, draft: boolean): Promise<Pull> {
  const { title, branch: head, baseBranch: base, body } = text;
  const { data } = await octokit.request('POST /repos/{owner}/{repo}/pulls', {
    ...{ ...paramsOf(name), title, head, base, body, draft },
  });
  return pullSchema.parse(data);
}

async function update(
  place: Place,
  pull: Pull,
  { title, body, draft, operationId }: PullText,
): Promise<Pull> {
  const state = stateOf(pull);
  if (state === 'merged' || state === 'closed')
    throw forgeRefused(
      `Pull request #${pull.number} is ${state}, so operation ${operationId} cannot update it.`,
    );
  const { octokit, name } = place;
  if (pull.title !== title || pull.body !== body)
    await octokit.request('PATCH /repos/{owner}/{repo}/pulls/{pull_number}', {
      ...{ ...paramsOf(name), pull_number: pull.number, title, body },
    });
  if (draft !== pull.draft) await setDraft(octokit, pull, draft);
  return { ...pull, title, body, draft };
}

const mutations = { draft: 'convertPullRequestToDraft', ready: 'markPullRequestReadyForReview' };

/** REST cannot change it. */
async function setDraft(octokit: GithubOctokit, { node_id: id }: Pull, draft: boolean): Promise<void> {
  const name = draft ? mutations.draft : mutations.ready;
  const query = `mutation($id: ID!) { ${name}(input: { pullRequestId: $id }) { pullRequest { isDraft } } }`;
  await octokit.graphql(query, { id });
}
