import { schema as published } from '@octokit/graphql-schema';
import { buildSchema, findBreakingChanges, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { installationClient, type StartedGithub, scopedToken, startValidated } from '../testing/start.ts';
import { schema } from './schema.ts';

test('our part of the schema is a part of the published one', () => {
  const github = buildSchema(published.idl, { assumeValidSDL: true });
  expect(findBreakingChanges(schema, github).map(({ description }) => description)).toEqual([]);
  expect(isObjectType(github.getType('PullRequestReviewThread'))).toBe(true);
});

const threadsQuery = `query($number: Int!, $after: String) {
  repository(owner: "acme", name: "shop") { pullRequest(number: $number) { id isDraft reviewThreads(first: 1, after: $after) {
    totalCount pageInfo { hasNextPage endCursor }
    nodes { id isResolved isOutdated path line resolvedBy { login } comments(first: 10) { nodes { databaseId body author { login } } } }
  } } }
}`;

async function pullWithThreads(github: StartedGithub) {
  const bob = github.as('bob');
  await bob.push('acme/shop', 'fix', { 'README.md': '1\n2\n3\n' });
  const pull = await bob.openPullRequest('acme/shop', { title: 'Fix', head: 'fix', base: 'main' });
  const comments = [1, 2].map((line) => ({ path: 'README.md', line, body: `Line ${line}` }));
  await github.as('ada').review(pull, { event: 'COMMENT', comments });
  return pull;
}

test('threads are listed in pages, answered and resolved', async () => {
  const github = await startValidated();
  const octokit = await installationClient(github);
  const pull = await pullWithThreads(github);
  const read = async (after: string | null = null) => {
    const answer = await octokit.graphql<Answer>(threadsQuery, { number: pull.number, after });
    return answer.repository.pullRequest.reviewThreads;
  };
  const first = await read();
  expect(first).toMatchObject({
    totalCount: 2,
    pageInfo: { hasNextPage: true },
    nodes: [{ line: 1, isResolved: false }],
  });
  const [second] = (await read(first.pageInfo.endCursor)).nodes;
  expect(second).toMatchObject({
    line: 2,
    comments: { nodes: [{ body: 'Line 2', author: { login: 'ada' } }] },
  });
  const reply =
    'mutation($id: ID!) { addPullRequestReviewThreadReply(input: { pullRequestReviewThreadId: $id, body: "Done" }) { comment { body } } }';
  await octokit.graphql(reply, { id: first.nodes[0]?.id });
  const resolve =
    'mutation($id: ID!) { resolveReviewThread(input: { threadId: $id }) { thread { isResolved } } }';
  const resolved = await octokit.graphql(resolve, { id: first.nodes[0]?.id });
  expect(resolved).toEqual({ resolveReviewThread: { thread: { isResolved: true } } });
  expect((await read()).nodes[0]).toMatchObject({
    isResolved: true,
    resolvedBy: { login: 'fettle' },
    comments: { nodes: [{}, { body: 'Done' }] },
  });
});

interface Answer {
  repository: {
    pullRequest: {
      id: string;
      reviewThreads: {
        totalCount: number;
        pageInfo: { hasNextPage: boolean; endCursor: string };
        nodes: { id: string }[];
      };
    };
  };
}

test('a pull request becomes a draft and ready again', async () => {
  const github = await startValidated();
  const octokit = await installationClient(github);
  const pull = await pullWithThreads(github);
  const answer = await octokit.graphql<Answer>(threadsQuery, { number: pull.number });
  const { id } = answer.repository.pullRequest;
  const draft =
    'mutation($id: ID!) { convertPullRequestToDraft(input: { pullRequestId: $id }) { pullRequest { isDraft } } }';
  expect(await octokit.graphql(draft, { id })).toEqual({
    convertPullRequestToDraft: { pullRequest: { isDraft: true } },
  });
  const ready =
    'mutation($id: ID!) { markPullRequestReadyForReview(input: { pullRequestId: $id }) { pullRequest { isDraft } } }';
  expect(await octokit.graphql(ready, { id })).toEqual({
    markPullRequestReadyForReview: { pullRequest: { isDraft: false } },
  });
});

test('errors have the types of GitHub', async () => {
  const github = await startValidated();
  const { octokit } = await scopedToken(github, {
    repositories: ['shop'],
    permissions: { pull_requests: 'read' },
  });
  const pull = await pullWithThreads(github);
  const answer = await octokit.graphql<Answer>(threadsQuery, { number: pull.number });
  const id = answer.repository.pullRequest.reviewThreads.nodes[0]?.id;
  const resolve =
    'mutation($id: ID!) { resolveReviewThread(input: { threadId: $id }) { thread { isResolved } } }';
  await expect(octokit.graphql(resolve, { id })).rejects.toMatchObject({ errors: [{ type: 'FORBIDDEN' }] });
  await expect(octokit.graphql(resolve, { id: 'PRRT_x' })).rejects.toMatchObject({
    errors: [{ type: 'NOT_FOUND' }],
  });
  await expect(octokit.graphql('{ search { x } }')).rejects.toMatchObject({
    errors: [{ message: expect.stringContaining('search') }],
  });
});
