import {
  allowanceListSchema,
  claimInputSchema,
  claimSchema,
  cleanUpInputSchema,
  FettleError,
  fenceQuerySchema,
  gitTokenInputSchema,
  gitTokenSchema,
  heartbeatInputSchema,
  heartbeatSchema,
  isSettled,
  leftoversSchema,
  proposalInputSchema,
  proposalSchema,
  recordPageSchema,
  recordQuerySchema,
  releaseInputSchema,
  releaseSchema,
  settleInputSchema,
  transitionInputSchema,
} from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import { isDatabaseAway } from '@fettle/database';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Dependencies } from '../dependencies.ts';
import { storeIfPossible } from '../events/store-operation.ts';
import { readFacts } from '../forge/read-facts.ts';
import { claimOperation } from '../operations/claim-operation.ts';
import { forWorkers } from './params.ts';

/** A proposal contains its diff, and an answer can be long. */
const bodyLimitBytes = 8_000_000;
const recordPageLength = 200;

/** The routes for workers. Every call that changes something carries the attempt's fencing number. */
export function internalRoutes(dependencies: Dependencies): FastifyPluginAsyncZod {
  const { config, database, forge, outbox, liveness, log } = dependencies;
  const { leaseSeconds } = config;
  return async (app) => {
    const route = '/internal/v1/operations/:id';

    app.post(
      `${route}/claim`,
      forWorkers({ body: claimInputSchema, response: { 200: claimSchema } }),
      async ({ params, body }) => {
        const claim = await liveness.whileAnswering(params.id, () =>
          claimOperation(dependencies, { id: params.id, ...body }),
        );
        // The worker starts its heartbeats when it gets the answer.
        liveness.note(params.id);
        return claim;
      },
    );

    app.get(
      `${route}/record`,
      forWorkers({ querystring: recordQuerySchema, response: { 200: recordPageSchema } }),
      async ({ params, query }) => {
        await database.operations.owned({ id: params.id, fence: query.fence });
        const page = { operationId: params.id, after: query.after, limit: recordPageLength };
        const events = await database.events.list(page);
        return { events, more: events.length === recordPageLength };
      },
    );

    app.get(
      `${route}/allowed-secrets`,
      forWorkers({ querystring: fenceQuerySchema, response: { 200: allowanceListSchema } }),
      async ({ params, query }) => {
        const owned = await database.operations.owned({ id: params.id, fence: query.fence });
        return { allowed: await database.allowances.list(owned) };
      },
    );

    app.get(`${route}/leftovers`, forWorkers({ response: { 200: leftoversSchema } }), async ({ params }) => {
      // Events about pushed branches may not be stored yet.
      await storeIfPossible(dependencies, params.id);
      const leftovers = await database.operations.listLeftovers(params.id);
      if (!leftovers.unwanted) return leftovers;
      const repository = await database.repositories.get(leftovers.source.repositoryId);
      if (!repository) throw new FettleError('not_found', `there is no repository of operation ${params.id}`);
      return { ...leftovers, token: await forge.gitToken(repository, { operationId: params.id }) };
    });

    app.post(
      `${route}/clean-up`,
      forWorkers({ body: cleanUpInputSchema }),
      async ({ params, body }, reply) => {
        const state = await database.operations.noteCleanUp({ id: params.id, ...body });
        await forge.endOperation(params.id);
        if (state === 'given_up')
          log.warn({ operationId: params.id }, 'a branch could not be removed; clean-up gave up');
        return reply.code(204).send();
      },
    );

    app.post(
      `${route}/git-token`,
      forWorkers({ body: gitTokenInputSchema, response: { 200: gitTokenSchema } }),
      async ({ params, body }) => {
        const { fence, refused } = body;
        const { state, repository } = await database.operations.owned({ id: params.id, fence });
        if (isSettled(state)) throw new FettleError('conflict', `operation ${params.id} is ${state}`);
        return { token: await forge.gitToken(repository, { operationId: params.id, refused }) };
      },
    );

    app.post(
      `${route}/heartbeat`,
      forWorkers({ body: heartbeatInputSchema, response: { 200: heartbeatSchema } }),
      async ({ params, body }) => {
        try {
          const heartbeat = { id: params.id, ...body, leaseSeconds };
          const answer = await liveness.whileAnswering(params.id, () =>
            database.operations.heartbeat(heartbeat),
          );
          liveness.note(params.id);
          return answer;
        } catch (error) {
          // The database may still answer reads. While heartbeats cannot be stored, silence proves nothing.
          if (isDatabaseAway(error)) liveness.reset();
          throw error;
        }
      },
    );

    app.post(
      `${route}/transition`,
      forWorkers({ body: transitionInputSchema }),
      async ({ params, body }, reply) => {
        const move = { id: params.id, ...body };
        await liveness.whileAnswering(params.id, () => database.operations.transition(move));
        liveness.note(params.id);
        crashPoint('transition');
        // A transition to the same state only checks ownership: it leaves nothing in the outbox, and its answer must not be delayed.
        if (body.from !== body.to) await outbox.flush();
        return reply.code(204).send();
      },
    );

    app.post(
      `${route}/proposal`,
      {
        bodyLimit: bodyLimitBytes,
        ...forWorkers({ body: proposalInputSchema, response: { 200: proposalSchema } }),
      },
      async ({ params: { id }, body }) => {
        const { state, organizationId, repository } = await database.operations.owned({
          ...{ id, fence: body.fence },
        });
        if (state !== 'proposing')
          throw new FettleError('conflict', `operation ${id} is ${state}, not proposing`);
        const operation = await database.operations.get(id, organizationId);
        if (!operation) throw new FettleError('not_found', `there is no operation ${id}`);
        const facts = () => readFacts(dependencies, operation, body.headCommit);
        const proposal = { ...body, operationId: id, repositoryId: repository.id };
        const pullRequest = await forge.openPullRequest(repository, proposal, facts);
        crashPoint('pull-request-stored');
        return { pullRequest };
      },
    );

    app.post(
      `${route}/release`,
      forWorkers({ body: releaseInputSchema, response: { 200: releaseSchema } }),
      async ({ params, body }) => {
        const released = await database.operations.release({
          id: params.id,
          ...body,
          maxLost: config.maxLost,
        });
        crashPoint('released');
        await outbox.flush();
        return { state: released.state };
      },
    );

    app.post(
      `${route}/settle`,
      { bodyLimit: bodyLimitBytes, ...forWorkers({ body: settleInputSchema }) },
      async ({ params, body }, reply) => {
        await database.operations.settle({ id: params.id, ...body });
        crashPoint('settled');
        await outbox.flush();
        // A new revision gets new tokens. Not awaited: GitHub may be slow.
        void forge.endOperation(params.id);
        return reply.code(204).send();
      },
    );
  };
}
