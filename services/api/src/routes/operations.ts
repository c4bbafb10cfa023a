import { operationFilterSchema, operationListSchema, operationSchema, requestSchema } from '@fettle/contract';
import { announceCancel } from '@fettle/queue';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Parts } from '../app.ts';
import { createOperation } from '../create-operation.ts';
import { findOperation } from '../find-operation.ts';

export const idParams = z.object({ id: z.string().regex(/^[\w-]{1,100}$/, 'is not an id') });

const creationHeaders = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 printable characters')
    .optional(),
});

export function operationRoutes(parts: Parts): FastifyPluginAsyncZod {
  const { database, outbox, queue, redis } = parts;
  return async (app) => {
    app.post(
      '/v1/operations',
      {
        schema: {
          body: requestSchema,
          headers: creationHeaders,
          response: { 200: operationSchema, 201: operationSchema },
        },
      },
      async ({ body, caller, headers }, reply) => {
        const { operation, created } = await createOperation(parts, {
          caller,
          request: body,
          idempotencyKey: headers['idempotency-key'],
        });
        return reply.code(created ? 201 : 200).send(operation);
      },
    );

    app.get(
      '/v1/operations',
      { schema: { querystring: operationFilterSchema, response: { 200: operationListSchema } } },
      async ({ caller, query }) =>
        database.operations.list({ organizationId: caller.organizationId, filter: query }),
    );

    app.get(
      '/v1/operations/:id',
      { schema: { params: idParams, response: { 200: operationSchema } } },
      async ({ caller, params }) => findOperation(database, caller, params.id),
    );

    app.post(
      '/v1/operations/:id/cancel',
      { schema: { params: idParams, response: { 200: operationSchema } } },
      async ({ caller, params }) => {
        await findOperation(database, caller, params.id);
        const { operation, wasWorked } = await database.operations.cancel({
          id: params.id,
          organizationId: caller.organizationId,
          by: caller.user.name,
        });
        await outbox.flush();
        if (wasWorked) await announceCancel(redis, params.id);
        else await queue.remove(params.id);
        return operation;
      },
    );
  };
}
