/** Serves `/api/graphql`. As on GitHub, errors are answers with status 200. */
import type { FastifyInstance } from 'fastify';
import { GraphQLError, graphql } from 'graphql';
import { z } from 'zod';
import type { Place } from '../changes/place.ts';
import { setDraft } from '../changes/pulls.ts';
import { replyToComment, setThreadResolved } from '../changes/reviews.ts';
import { ApiError, badCredentials, errorBody } from '../http/api-error.ts';
import { authenticate, type Caller } from '../http/authenticate.ts';
import { canSee, requirePlace } from '../http/authorize.ts';
import type { Access } from '../http/endpoint.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import { findPullByNodeId, findRepository, findThread, fullName } from '../state/find.ts';
import type { Repository } from '../state/model.ts';
import { formatTime, type World } from '../state/world.ts';
import { accountFields, commentFields, pullFields, repositoryFields, threadFields } from './resolvers.ts';
import { schema } from './schema.ts';

const requestSchema = z.object({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().nullish(),
});

const read: Access = { needs: [{ pull_requests: 'read' }], role: 'read' };
const write: Access = { needs: [{ pull_requests: 'write' }], role: 'write' };
const comment: Access = { needs: [{ pull_requests: 'write' }], role: 'read' };

interface GraphqlOptions {
  world: World;
  rateLimits: RateLimits;
}

export function serveGraphql(app: FastifyInstance, { world, rateLimits }: GraphqlOptions): void {
  app.post('/api/graphql', async (request, reply) => {
    let caller: Caller;
    try {
      caller = authenticate(world, request.headers.authorization);
      request.githubCaller = caller;
      if (caller.kind !== 'token') throw badCredentials('This endpoint requires you to be authenticated.');
      rateLimits.take(caller);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return reply.code(error.status).headers(error.headers).send(errorBody(error));
    }
    const parsed = requestSchema.safeParse(request.body);
    if (!parsed.success) return reply.code(400).send(errorBody(new ApiError(400, 'Problems parsing JSON')));
    const { query, variables, operationName } = parsed.data;
    const { data, errors } = await graphql({
      schema,
      source: query,
      rootValue: createRoot(world, caller, rateLimits),
      variableValues: variables ?? {},
      ...(operationName && { operationName }),
    });
    reply.headers(rateLimits.headers(caller));
    return reply.send({
      ...(data !== undefined && { data }),
      ...(errors && { errors: errors.map(errorShape) }),
    });
  });
}

function createRoot(world: World, caller: Caller & { kind: 'token' }, rateLimits: RateLimits) {
  const enter = (repository: Repository, access: Access): Place =>
    requirePlace(world, caller, fullName(repository), access);
  const requirePullRequest = (id: string, access: Access) => {
    const found = findPullByNodeId(world, id);
    if (!found || !canSee(caller, found.repository)) throw unresolved(id);
    return { ...found, place: enter(found.repository, access) };
  };
  const requireThread = (id: string, access: Access) => {
    const found = findThread(world, id);
    if (!found || !canSee(caller, found.repository)) throw unresolved(id);
    return { ...found, place: enter(found.repository, access) };
  };
  const draft = (isDraft: boolean) => (args: Input<{ pullRequestId: string }>) => {
    const { place, repository, issue } = requirePullRequest(args.input.pullRequestId, write);
    setDraft(place, issue, isDraft);
    return { ...echo(args), pullRequest: pullFields(world, repository, issue) };
  };
  const resolve = (isResolved: boolean) => (args: Input<{ threadId: string }>) => {
    const { place, repository, issue, first } = requireThread(args.input.threadId, write);
    setThreadResolved(place, issue, first, isResolved);
    return { ...echo(args), thread: threadFields(world, repository, issue, first) };
  };
  return {
    viewer: () => ({ ...accountFields(caller.token.account), __typename: 'User' }),
    rateLimit: () => {
      const { limit, remaining, used, reset } = rateLimits.shape(caller);
      return { limit, cost: 1, remaining, used, resetAt: formatTime(reset * 1000) };
    },
    repository: ({ owner, name }: { owner: string; name: string }) => {
      const repository = findRepository(world, `${owner}/${name}`);
      if (!repository || !canSee(caller, repository))
        throw typedError('NOT_FOUND', `Could not resolve to a Repository with the name '${owner}/${name}'.`);
      enter(repository, read);
      return repositoryFields(world, repository);
    },
    node: ({ id }: { id: string }) => {
      if (findThread(world, id)) {
        const { repository, issue, first } = requireThread(id, read);
        return threadFields(world, repository, issue, first);
      }
      const { repository, issue } = requirePullRequest(id, read);
      return pullFields(world, repository, issue);
    },
    convertPullRequestToDraft: draft(true),
    markPullRequestReadyForReview: draft(false),
    resolveReviewThread: resolve(true),
    unresolveReviewThread: resolve(false),
    addPullRequestReviewThreadReply: (args: Input<{ pullRequestReviewThreadId: string; body: string }>) => {
      const found = requireThread(args.input.pullRequestReviewThreadId, comment);
      const reply = replyToComment(found.place, found.issue, found.first, args.input.body);
      return { ...echo(args), comment: commentFields(world, found.repository, found.issue, reply) };
    },
  };
}

interface Input<Fields> {
  input: Fields & { clientMutationId?: string | null };
}

function echo({ input }: Input<unknown>) {
  return { clientMutationId: input.clientMutationId ?? null };
}

function typedError(type: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { type } });
}

function unresolved(id: string): GraphQLError {
  return typedError('NOT_FOUND', `Could not resolve to a node with the global id of '${id}'`);
}

const types: Record<number, string> = { 403: 'FORBIDDEN', 404: 'NOT_FOUND', 422: 'UNPROCESSABLE' };

/** GitHub puts the type beside the message, not into `extensions`. */
function errorShape(error: GraphQLError) {
  const { message, path, locations, extensions, originalError } = error;
  const type = originalError instanceof ApiError ? types[originalError.status] : extensions.type;
  return {
    ...(type !== undefined && { type }),
    ...(path && { path }),
    ...(locations && { locations }),
    message,
  };
}
