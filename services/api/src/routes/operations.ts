import {
  type Operation,
  operationDetailSchema,
  operationFilterSchema,
  operationListSchema,
  operationSchema,
  requestSchema,
} from '@fettle/contract';
import { sendWorkSignal } from '@fettle/queue';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Parts } from '../app.ts';
import { createOperation } from '../operations/create-operation.ts';
import { describeOperation, tellDelivery } from '../operations/describe-operation.ts';
import { findOperation } from '../operations/find-operation.ts';
import { within } from '../within.ts';

export const idParams = z.object({ id: z.string().regex(/^[\w-]{1,100}$/, 'is not an id') });

export const keyHeaders = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 printable characters')
    .optional(),
});

/** Redis may be away: then a heartbeat tells the worker, and a job that is not wanted finds nothing to claim. */
export const patienceMs = 1_000;

export function operationRoutes(parts: Parts): FastifyPluginAsyncZod {
  const { database, outbox, queue, redis } = parts;
  const removeJob = ({ id, attempts }: Operation) => queue.remove({ operationId: id, attempt: attempts + 1 });
  return async (app) => {
    app.post(
      '/v1/operations',
      {
        schema: {
          summary: 'Ask for an operation',
          description:
            'The same idempotency key, or the same message, gives the operation that it gave before.',
          body: requestSchema,
          headers: keyHeaders,
          response: { 200: operationSchema, 201: operationSchema },
        },
      },
      async ({ body, caller, headers }, reply) => {
        const { operation, created } = await createOperation(parts, {
          caller,
          request: body,
          idempotencyKey: headers['idempotency-key'],
        });
        return reply.code(created ? 201 : 200).send(tellDelivery(operation, parts));
      },
    );

    app.get(
      '/v1/operations',
      {
        schema: {
          summary: 'List operations, newest first',
          querystring: operationFilterSchema,
          response: { 200: operationListSchema },
        },
      },
      async ({ caller, query }) => {
        const { organizationId } = caller;
        const page = await database.operations.list({ organizationId, filter: query });
        return { ...page, operations: page.operations.map((each) => tellDelivery(each, parts)) };
      },
    );

    app.get(
      '/v1/operations/:id',
      {
        schema: {
          summary: 'One operation, and in one line what is going on',
          params: idParams,
          response: { 200: operationDetailSchema },
        },
      },
      async ({ caller, params }) => {
        const operation = await findOperation(database, caller, params.id);
        return describeOperation(database, tellDelivery(operation, parts));
      },
    );

    app.post(
      '/v1/operations/:id/cancel',
      {
        schema: {
          summary: 'Cancel an operation, for good',
          params: idParams,
          response: { 200: operationSchema },
        },
      },
      async ({ caller, params }) => {
        await findOperation(database, caller, params.id);
        const { operation, wasWorked } = await database.operations.cancel({
          id: params.id,
          organizationId: caller.organizationId,
          by: caller.user.name,
        });
        await within(
          patienceMs,
          wasWorked ? sendWorkSignal(redis, params.id, 'cancel') : removeJob(operation),
        );
        await outbox.flush();
        return operation;
      },
    );

    app.post(
      '/v1/operations/:id/pause',
      { schema: { summary: 'Pause an operation', params: idParams, response: { 200: operationSchema } } },
      async ({ caller, params }) => {
        const { organizationId, user } = caller;
        const wish = { id: params.id, organizationId, by: user.name };
        const { operation, wasWorked } = await database.operations.pause(wish);
        await within(
          patienceMs,
          wasWorked ? sendWorkSignal(redis, params.id, 'pause') : removeJob(operation),
        );
        await outbox.flush();
        return operation;
      },
    );

    app.post(
      '/v1/operations/:id/resume',
      {
        schema: {
          summary: 'Let a paused operation go on',
          params: idParams,
          response: { 200: operationSchema },
        },
      },
      async ({ caller, params }) => {
        const { organizationId, user } = caller;
        const operation = await database.operations.resume({ id: params.id, organizationId, by: user.name });
        await within(patienceMs, sendWorkSignal(redis, params.id, 'resume'));
        await outbox.flush();
        return operation;
      },
    );
  };
}
