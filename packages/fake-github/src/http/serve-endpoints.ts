/** Serves the endpoints under `/api/v3`, as GitHub Enterprise Server does. */
import { createHash, randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ZodError } from 'zod';
import type { Place } from '../changes/place.ts';
import { findMovedRepository, findRepository } from '../state/find.ts';
import type { World } from '../state/world.ts';
import { ApiError, badCredentials, errorBody, notFound } from './api-error.ts';
import { authenticate, type Caller } from './authenticate.ts';
import { formatNeeds, requirePlace } from './authorize.ts';
import type { Answer, Endpoint } from './endpoint.ts';
import type { RateLimits } from './rate-limits.ts';

export interface Exchange {
  method: string;
  /** The path of the OpenAPI document. */
  path: string;
  status: number;
  body: unknown;
}

export interface EndpointOptions {
  world: World;
  rateLimits: RateLimits;
  /** Called with every answer, so that tests can validate it. */
  onAnswer: ((exchange: Exchange) => void) | undefined;
}

export function serveEndpoints(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  options: EndpointOptions,
) {
  for (const endpoint of endpoints) {
    app.route({
      method: endpoint.method,
      url: toFastifyPath(endpoint.path),
      handler: (request, reply) => answer(endpoint, request, reply, options),
    });
  }
  // Clients correct their clocks by this header, also after a test has moved the clock of the fake.
  app.addHook('onSend', async (_request, reply) => {
    reply.header('date', new Date(options.world.nowMs()).toUTCString());
  });
  app.setNotFoundHandler((_request, reply) => send(reply, toAnswer(notFound())));
}

/** The last parameter may contain slashes if it is a path or the name of a branch. */
function toFastifyPath(path: string): string {
  return path.replace(/\{(path|ref|branch|basehead)\}$/, '*').replace(/\{(\w+)\}/g, ':$1');
}

async function answer(
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  options: EndpointOptions,
) {
  const { world, rateLimits } = options;
  const respond = async (): Promise<Answer> => {
    const caller = authenticate(world, request.headers.authorization);
    request.githubCaller = caller;
    if (endpoint.path !== '/rate_limit') rateLimits.take(caller);
    return run(endpoint, request, caller, world);
  };
  const result = await respond().catch(toAnswer);
  const caller: Caller = request.githubCaller ?? { kind: 'anonymous' };
  options.onAnswer?.({
    method: endpoint.method,
    path: endpoint.path,
    status: result.status,
    body: result.body,
  });
  const accepted = endpoint.access?.needs.map(formatNeeds).join('; ');
  const scopes =
    caller.kind === 'token' && caller.token.kind === 'classic' ? caller.token.scopes.join(', ') : undefined;
  const headers = {
    ...(accepted !== undefined && { 'x-accepted-github-permissions': accepted }),
    ...(scopes !== undefined && { 'x-oauth-scopes': scopes, 'x-accepted-oauth-scopes': '' }),
    ...result.headers,
  };
  if (result.status === 200 && request.method === 'GET' && result.body !== undefined) {
    const etag = `W/"${createHash('sha256').update(JSON.stringify(result.body)).digest('hex')}"`;
    const isKnown = request.headers['if-none-match']?.split(/,\s*/).includes(etag) ?? false;
    if (isKnown) rateLimits.giveBack(caller);
    Object.assign(headers, { etag, 'cache-control': 'private, max-age=60, s-maxage=60' });
    const sent = isKnown ? { status: 304 } : result;
    return send(reply, { ...sent, headers: { ...rateLimits.headers(caller), ...headers } });
  }
  return send(reply, { ...result, headers: { ...rateLimits.headers(caller), ...headers } });
}

async function run(
  endpoint: Endpoint,
  request: FastifyRequest,
  caller: Caller,
  world: World,
): Promise<Answer> {
  if (endpoint.auth === 'app' && caller.kind !== 'app')
    throw badCredentials('A JSON web token could not be decoded');
  if (endpoint.auth === 'token' && !endpoint.access && caller.kind !== 'token')
    throw badCredentials(caller.kind === 'anonymous' ? 'Requires authentication' : undefined);
  const path = new URL(request.url, world.url);
  const params = readParams(endpoint, request);
  const moved = endpoint.access && findMove(world, params, path);
  if (moved !== undefined) return moved;
  const place: Place | undefined =
    endpoint.access && requirePlace(world, caller, `${params.owner}/${params.repo}`, endpoint.access);
  const body = endpoint.body?.parse(request.body ?? {});
  return endpoint.run({
    world,
    caller,
    params,
    query: Object.fromEntries(path.searchParams),
    body: body as never,
    url: `${world.url}${path.pathname}`,
    place: place as Place,
  });
}

function readParams({ path }: Endpoint, request: FastifyRequest): Record<string, string> {
  const { '*': last, ...params } = request.params as Record<string, string>;
  const name = /\{(\w+)\}$/.exec(path)?.[1];
  return last !== undefined && name !== undefined ? { ...params, [name]: last } : params;
}

/** A repository that was renamed answers with a redirect to its id. */
function findMove(world: World, { owner, repo }: Record<string, string>, path: URL): Answer | undefined {
  const name = `${owner}/${repo}`;
  if (findRepository(world, name)) return undefined;
  const moved = findMovedRepository(world, name);
  if (!moved) return undefined;
  const rest = path.pathname.split('/').slice(6).join('/');
  const location = `${world.apiUrl}/repositories/${moved.id}${rest === '' ? '' : `/${rest}`}${path.search}`;
  return {
    status: 301,
    headers: { location },
    body: { message: 'Moved Permanently', url: location, documentation_url: 'https://docs.github.com/rest' },
  };
}

function toAnswer(error: unknown): Answer {
  if (error instanceof ApiError)
    return { status: error.status, body: errorBody(error), headers: error.headers };
  if (error instanceof ZodError) {
    const problems = error.issues.map(
      ({ path, message }) => `For 'properties/${path.join('/')}', ${message}.`,
    );
    return toAnswer(new ApiError(422, `Invalid request.\n\n${problems.join('\n')}`));
  }
  throw error;
}

function send(reply: FastifyReply, { status, body, headers = {} }: Answer) {
  reply.code(status).headers({
    'x-github-request-id': randomUUID(),
    'x-github-media-type': 'github.v3; format=json',
    'x-github-api-version-selected': '2022-11-28',
    'access-control-allow-origin': '*',
    ...headers,
  });
  if (body === undefined) return reply.send();
  if (typeof body === 'string') return reply.send(body);
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
}

declare module 'fastify' {
  interface FastifyRequest {
    githubCaller: Caller | undefined;
  }
}
