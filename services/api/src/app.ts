import rateLimit from '@fastify/rate-limit';
import { fastifySSE } from '@fastify/sse';
import swagger from '@fastify/swagger';
import { errorBodySchema, FettleError } from '@fettle/contract';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  LogController,
} from 'fastify';
import {
  jsonSchemaTransform,
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod';
import { hashToken } from './auth/admin-token.ts';
import { requirePerson, requireWorker } from './auth/authentication.ts';
import type { Dependencies } from './dependencies.ts';
import { answerUnreadable, handleErrors } from './errors.ts';
import { deliveryStatusRoute } from './github/webhooks/delivery-status-route.ts';
import { createRejections } from './github/webhooks/rejections.ts';
import { type WebhookOptions, webhookRoute } from './github/webhooks/webhook-route.ts';
import { allowanceRoutes } from './routes/allowances.ts';
import { checkpointRoutes } from './routes/checkpoints.ts';
import { eventRoutes } from './routes/events.ts';
import { githubRoutes } from './routes/github.ts';
import { healthRoutes } from './routes/health.ts';
import { internalRoutes } from './routes/internal.ts';
import { internalConversationRoutes } from './routes/internal-conversation.ts';
import { messageRoutes } from './routes/messages.ts';
import { operationRoutes } from './routes/operations.ts';
import { partChangeRoutes } from './routes/part-changes.ts';
import { planRoutes } from './routes/plan.ts';
import { policyRoutes } from './routes/policy.ts';
import { pullRequestRoutes } from './routes/pull-requests.ts';
import { revisionRoutes } from './routes/revisions.ts';
import { workerReportRoutes, workerRoutes } from './routes/workers.ts';

const bodyLimitBytes = 1_000_000;

/** Builds the whole HTTP surface. Opens no connections and does not listen. */
export async function buildApp(dependencies: Dependencies, webhooks: WebhookOptions) {
  const { config, database, log, redaction } = dependencies;
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyLimitBytes,
    forceCloseConnections: true,
    frameworkErrors(error, _request, reply: FastifyReply) {
      const isLong = error.code === 'FST_ERR_MAX_PARAM_LENGTH';
      const known = isLong
        ? new FettleError('not_found', 'the id is too long')
        : new FettleError('bad_request', error.message);
      return reply.status(known.status).send(redaction.value(known.toBody()));
    },
    clientErrorHandler: answerUnreadable,
    routerOptions: { maxParamLength: 200 },
  }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  handleErrors(app, redaction);
  app.removeContentTypeParser('text/plain');
  acceptEmptyBodies(app);
  // The OpenAPI description lists error responses for every route.
  app.addHook('onRoute', (route) => {
    const { response } = (route.schema ?? {}) as { response?: object };
    route.schema = {
      ...route.schema,
      response: { ...response, '4xx': errorBodySchema, '5xx': errorBodySchema },
    };
  });

  await app.register(swagger, {
    openapi: {
      info: {
        title: 'Fettle',
        version: '1',
        description: 'Request a change, follow it, and read the pull request.',
      },
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
      security: [{ token: [] }],
    },
    transform: jsonSchemaTransform,
  });
  await app.register(fastifySSE, { heartbeatInterval: 15_000 });

  await app.register(healthRoutes(dependencies));
  const rejections = createRejections();
  await app.register(webhookRoute(dependencies, { ...webhooks, rejections }));
  await app.register(async (people) => {
    await people.register(rateLimit, {
      max: config.requestsPerMinute,
      timeWindow: 60_000,
      keyGenerator: (request) => hashToken(request.headers.authorization ?? request.ip),
      errorResponseBuilder: (_request, { after }) =>
        new FettleError('too_many_requests', `too many requests; retry in ${after}`),
    });
    // After the rate limit, which also counts failed tokens, and before the body is read.
    people.addHook('preParsing', requirePerson(database));
    // Only for people: workers need unredacted answers.
    people.addHook('preSerialization', async (_request, _reply, payload) => redaction.value(payload));
    await people.register(operationRoutes(dependencies));
    await people.register(messageRoutes(dependencies));
    await people.register(planRoutes(dependencies));
    await people.register(revisionRoutes(dependencies));
    await people.register(eventRoutes(dependencies));
    await people.register(pullRequestRoutes(dependencies));
    await people.register(githubRoutes(dependencies));
    await people.register(policyRoutes(dependencies));
    await people.register(allowanceRoutes(dependencies));
    await people.register(workerRoutes(dependencies));
    await people.register(partChangeRoutes(dependencies));
    await people.register(deliveryStatusRoute(dependencies, rejections));
  });
  await app.register(async (workers) => {
    workers.addHook('onRequest', requireWorker(config.workerKey));
    await workers.register(internalRoutes(dependencies));
    await workers.register(internalConversationRoutes(dependencies));
    await workers.register(checkpointRoutes(dependencies));
    await workers.register(workerReportRoutes(dependencies));
  });
  return app;
}

/** Some clients send the JSON content type with an empty body. */
function acceptEmptyBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else parse(request, String(body), done);
  });
}
