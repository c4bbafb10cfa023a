/** The HTTP server: REST and GraphQL below `/api`, git and pages for people at the root. */
import { setTimeout as sleep } from 'node:timers/promises';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { serveGit } from './git/serve-git.ts';
import { serveGraphql } from './graphql/serve-graphql.ts';
import { ApiError, errorBody } from './http/api-error.ts';
import type { Caller } from './http/authenticate.ts';
import type { Fault, Faults } from './http/faults.ts';
import type { RateLimits } from './http/rate-limits.ts';
import { type GitUse, type LoggedRequest, loggedPath } from './http/request-log.ts';
import { type Exchange, serveEndpoints } from './http/serve-endpoints.ts';
import { listEndpoints } from './rest/list-endpoints.ts';
import { fullName } from './state/find.ts';
import type { World } from './state/world.ts';
import { serveView } from './view/serve-view.ts';
import type { Deliveries } from './webhooks/deliveries.ts';

export interface ServerOptions {
  world: World;
  deliveries: Deliveries;
  rateLimits: RateLimits;
  faults: Faults;
  tokenLifetimeMs: () => number;
  onRequest: (request: LoggedRequest) => void;
  onGitUse: (use: GitUse) => void;
  onAnswer: ((exchange: Exchange) => void) | undefined;
}

const maxBodyBytes = 256 * 1024 * 1024;

export function createServer(options: ServerOptions): FastifyInstance {
  const { world, deliveries, rateLimits, onAnswer } = options;
  const app = fastify({
    bodyLimit: maxBodyBytes,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 1_000 },
    rewriteUrl: ({ url = '/' }) => rewriteRepositoryId(world, url),
  });
  app.decorateRequest('githubCaller', undefined);
  watchRequests(app, options);
  const jobLogs = new Map<string, string>();
  const { tokenLifetimeMs } = options;
  const endpoints = listEndpoints({ deliveries, rateLimits, tokenLifetimeMs, jobLogs });
  app.register(
    async (scope) => {
      acceptEmptyJson(scope);
      serveEndpoints(scope, endpoints, { world, rateLimits, onAnswer });
    },
    { prefix: '/api/v3' },
  );
  app.register(async (scope) => {
    acceptEmptyJson(scope);
    serveGraphql(scope, { world, rateLimits });
  });
  app.register(async (scope) => serveView(scope, world));
  app.register(async (scope) => serveGit(scope, { world, onUse: options.onGitUse }));
  app.get<{ Params: { code: string } }>('/logs/:code', (request, reply) => {
    const log = jobLogs.get(request.params.code);
    return log === undefined ? reply.code(404).send() : reply.type('text/plain; charset=utf-8').send(log);
  });
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const status = error.statusCode ?? 500;
    const message = status === 400 ? 'Problems parsing JSON' : error.message;
    if (status === 500) process.stderr.write(`fake GitHub: ${error.stack}\n`);
    return reply.code(status).send(errorBody(new ApiError(status, message)));
  });
  return app;
}

/** `/repositories/123/…` is another name of `/repos/owner/name/…`. GitHub uses it in redirects. */
function rewriteRepositoryId(world: World, url: string): string {
  return url.replace(/^\/api\/v3\/repositories\/(\d+)(?=[/?]|$)/, (whole, id: string) => {
    const repository = world.repositories.find((each) => each.id === Number(id));
    return repository ? `/api/v3/repos/${fullName(repository)}` : whole;
  });
}

/** Clients send `content-type: application/json` without a body for some calls. */
function acceptEmptyJson(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(String(body)));
    } catch (error) {
      done(Object.assign(error as Error, { statusCode: 400 }));
    }
  });
}

/** Applies the planned faults and writes the request log. */
function watchRequests(app: FastifyInstance, { faults, onRequest }: ServerOptions): void {
  const dropped = new WeakSet<FastifyRequest>();
  const late = new WeakSet<FastifyRequest>();
  const drop = (request: FastifyRequest) => {
    dropped.add(request);
    onRequest(describeRequest(request, 0, true));
    request.raw.socket.destroy();
  };
  app.addHook('onRequest', async (request, reply) => {
    const fault = faults.take(request.method, loggedPath(request.url));
    if (fault?.delayMs !== undefined) await sleep(fault.delayMs, undefined, { ref: false });
    if (fault?.drop === 'before') {
      drop(request);
      return reply.hijack();
    }
    if (fault?.drop === 'after') late.add(request);
    return fault && answerWithFault(fault, reply);
  });
  app.addHook('onSend', async (request, _reply, payload) => {
    if (late.has(request)) drop(request);
    return payload;
  });
  app.addHook('onResponse', async (request, reply) => {
    if (!dropped.has(request)) onRequest(describeRequest(request, reply.statusCode, false));
  });
}

function answerWithFault(
  { status, secondaryRateLimit }: Fault,
  reply: FastifyReply,
): FastifyReply | undefined {
  if (secondaryRateLimit) {
    const message =
      'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.';
    const headers = { 'retry-after': secondaryRateLimit.retryAfterSeconds };
    return reply
      .code(403)
      .headers(headers)
      .send(errorBody(new ApiError(403, message)));
  }
  if (status === undefined) return undefined;
  return reply.code(status).send(errorBody(new ApiError(status, 'Server Error')));
}

function describeRequest(request: FastifyRequest, status: number, isDropped: boolean): LoggedRequest {
  const caller: Caller = request.githubCaller ?? { kind: 'anonymous' };
  return {
    method: request.method,
    path: loggedPath(request.url),
    status,
    tokenId: caller.kind === 'token' ? caller.token.id : undefined,
    appId: caller.kind === 'app' ? caller.app.id : undefined,
    isDropped,
  };
}
