import {
  claimInputSchema,
  claimSchema,
  heartbeatInputSchema,
  heartbeatSchema,
  proposalInputSchema,
  proposalSchema,
  settleInputSchema,
  transitionInputSchema,
} from '@fettle/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Parts } from '../app.ts';
import { proposeOperation } from '../propose-operation.ts';
import { idParams } from './operations.ts';

/** A proposal carries its diff, and an answer may be long. */
const bodyLimitBytes = 8_000_000;

/** What the worker may ask of the api. Every call that changes something carries the attempt's fencing number. */
export function internalRoutes(parts: Parts): FastifyPluginAsyncZod {
  const { config, database, outbox } = parts;
  const { leaseSeconds } = config;
  return async (app) => {
    const route = '/internal/v1/operations/:id';

    app.post(
      `${route}/claim`,
      { schema: { hide: true, params: idParams, body: claimInputSchema, response: { 200: claimSchema } } },
      async ({ params, body }) => {
        const claim = await database.operations.claim({ id: params.id, worker: body.worker, leaseSeconds });
        await outbox.flush();
        return { ...claim, leaseSeconds, budgets: config.budgets };
      },
    );

    app.post(
      `${route}/heartbeat`,
      {
        schema: {
          hide: true,
          params: idParams,
          body: heartbeatInputSchema,
          response: { 200: heartbeatSchema },
        },
      },
      async ({ params, body }) => database.operations.heartbeat({ id: params.id, ...body, leaseSeconds }),
    );

    app.post(
      `${route}/transition`,
      { schema: { hide: true, params: idParams, body: transitionInputSchema } },
      async ({ params, body }, reply) => {
        await database.operations.transition({ id: params.id, ...body });
        await outbox.flush();
        return reply.code(204).send();
      },
    );

    app.post(
      `${route}/proposal`,
      {
        bodyLimit: bodyLimitBytes,
        schema: {
          hide: true,
          params: idParams,
          body: proposalInputSchema,
          response: { 200: proposalSchema },
        },
      },
      async ({ params, body }) => proposeOperation(parts, params.id, body),
    );

    app.post(
      `${route}/settle`,
      { bodyLimit: bodyLimitBytes, schema: { hide: true, params: idParams, body: settleInputSchema } },
      async ({ params, body }, reply) => {
        await database.operations.settle({ id: params.id, ...body });
        await outbox.flush();
        return reply.code(204).send();
      },
    );
  };
}
