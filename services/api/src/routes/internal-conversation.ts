import { planInputSchema, recordQuerySchema, saidListSchema } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Dependencies } from '../dependencies.ts';
import { forWorkers } from './params.ts';

/** Routes for the conversation between people and the agent: messages and plans. */
export function internalConversationRoutes({ database, outbox }: Dependencies): FastifyPluginAsyncZod {
  return async (app) => {
    const route = '/internal/v1/operations/:id';

    app.get(
      `${route}/messages`,
      forWorkers({ querystring: recordQuerySchema, response: { 200: saidListSchema } }),
      async ({ params, query }) => {
        const { fence, after } = query;
        await database.operations.owned({ id: params.id, fence });
        return { messages: await database.messages.listSaid({ operationId: params.id, after }) };
      },
    );

    app.post(`${route}/plan`, forWorkers({ body: planInputSchema }), async ({ params, body }, reply) => {
      await database.plans.propose({ id: params.id, ...body });
      crashPoint('plan-stored');
      await outbox.flush();
      return reply.code(204).send();
    });
  };
}
