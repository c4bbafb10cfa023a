import {
  operationDetailSchema,
  operationFilterSchema,
  operationListSchema,
  operationSchema,
  requestSchema,
} from '@fettle/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Caller } from '../auth/authentication.ts';
import type { Dependencies } from '../dependencies.ts';
import { createOperation } from '../operations/create-operation.ts';
import { addDeliveryProblem, describeOperation } from '../operations/describe-operation.ts';
import { findOperation } from '../operations/find-operation.ts';
import { type Actor, cancelWork, pauseWork, resumeWork } from '../operations/stop-work.ts';
import { idParams, keyHeaders } from './params.ts';

export function operationRoutes(dependencies: Dependencies): FastifyPluginAsyncZod {
  const { database } = dependencies;
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
        return cancelWork(dependencies, actorOf(params.id, caller));
      },
    );

    app.post(
      '/v1/operations/:id/pause',
      { schema: { summary: 'Pause an operation', params: idParams, response: { 200: operationSchema } } },
      async ({ caller, params }) => pauseWork(dependencies, actorOf(params.id, caller)),
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
      async ({ caller, params }) => resumeWork(dependencies, actorOf(params.id, caller)),
    );
  };
}

function actorOf(id: string, { organizationId, user }: Caller): Actor {
  return { id, organizationId, by: user.name };
}
