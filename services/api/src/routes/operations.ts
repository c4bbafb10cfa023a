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
import type { Dependencies } from '../dependencies.ts';
import { createOperation } from '../operations/create-operation.ts';
import { addDeliveryProblem, describeOperation } from '../operations/describe-operation.ts';
import { findOperation } from '../operations/find-operation.ts';
import { within } from '../within.ts';
import { idParams, keyHeaders, signalTimeoutMs } from './params.ts';

export function operationRoutes(dependencies: Dependencies): FastifyPluginAsyncZod {
  const { database, outbox, queue, redis } = dependencies;
  const removeJob = ({ id, attempts }: Operation) => queue.remove({ operationId: id, attempt: attempts + 1 });
  return async (app) => {
    app.post(
      '/v1/operations',
      {
        schema: {
          summary: 'Create an operation',
          description:
            'A request with the same Idempotency-Key or the same origin returns the operation that exists already.',
          body: requestSchema,
          headers: keyHeaders,
          response: { 200: operationSchema, 201: operationSchema },
        },
      },
      async ({ body, caller, headers }, reply) => {
        const { operation, created } = await createOperation(dependencies, {
          caller,
          request: body,
          idempotencyKey: headers['idempotency-key'],
        });
        return reply.code(created ? 201 : 200).send(addDeliveryProblem(operation, dependencies));
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
        return { ...page, operations: page.operations.map((each) => addDeliveryProblem(each, dependencies)) };
      },
    );

    app.get(
      '/v1/operations/:id',
      {
        schema: {
          summary: 'Get an operation, with its current activity in one line',
          params: idParams,
          response: { 200: operationDetailSchema },
        },
      },
      async ({ caller, params }) => {
        const operation = await findOperation(database, caller, params.id);
        return describeOperation(database, addDeliveryProblem(operation, dependencies));
      },
    );

    app.post(
      '/v1/operations/:id/cancel',
      {
        schema: {
          summary: 'Cancel an operation. It cannot be resumed',
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
          signalTimeoutMs,
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
        const request = { id: params.id, organizationId, by: user.name };
        const { operation, wasWorked } = await database.operations.pause(request);
        await within(
          signalTimeoutMs,
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
          summary: 'Resume a paused operation',
          params: idParams,
          response: { 200: operationSchema },
        },
      },
      async ({ caller, params }) => {
        const { organizationId, user } = caller;
        const operation = await database.operations.resume({ id: params.id, organizationId, by: user.name });
        await within(signalTimeoutMs, sendWorkSignal(redis, params.id, 'resume'));
        await outbox.flush();
        return operation;
      },
    );
  };
}
