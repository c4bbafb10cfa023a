import { FettleError, operationSchema, planDecisionSchema, planStatusSchema } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Dependencies } from '../dependencies.ts';
import { findOperation } from '../operations/find-operation.ts';
import { idParams } from './params.ts';

export function planRoutes({ database, outbox }: Dependencies): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/v1/operations/:id/plan',
      {
        schema: {
          summary: 'Get the newest plan of an operation, and the decision about it',
          params: idParams,
          response: { 200: planStatusSchema },
        },
      },
      async ({ caller, params }) => {
        const { id, state } = await findOperation(database, caller, params.id);
        const plan = await database.plans.get(id);
        if (!plan) throw new FettleError('not_found', `operation ${id} is ${state} and has no plan`, 'id');
        return plan;
      },
    );

    app.post(
      '/v1/operations/:id/plan',
      {
        schema: {
          summary: 'Approve a plan, request changes, or cancel the operation',
          description:
            'The version is that of the plan that was read. The request fails if there is a newer plan.',
          params: idParams,
          body: planDecisionSchema,
          response: { 200: operationSchema },
        },
      },
      async ({ body, caller, params }) => {
        const { organizationId, user } = caller;
        const input = { id: params.id, organizationId, by: user.name, ...body };
        const { operation } = await database.plans.decide(input);
        crashPoint('plan-decided');
        await outbox.flush();
        return operation;
      },
    );
  };
}
