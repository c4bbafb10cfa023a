import { messageInputSchema, messageListSchema, messageSchema } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import { sendWorkSignal } from '@fettle/queue';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Dependencies } from '../dependencies.ts';
import { findOperation } from '../operations/find-operation.ts';
import { within } from '../within.ts';
import { idParams, keyHeaders, signalTimeoutMs } from './params.ts';

export function messageRoutes({ database, outbox, redis }: Dependencies): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/v1/operations/:id/messages',
      {
        schema: {
          summary: 'Say something to the agent; it is told before its next turn',
          description: 'The same idempotency key with the same words is the same message.',
          params: idParams,
          headers: keyHeaders,
          body: messageInputSchema,
          response: { 200: messageSchema, 201: messageSchema },
        },
      },
      async ({ body, caller, headers, params }, reply) => {
        const { message, added, isWorked } = await database.messages.add({
          operationId: params.id,
          organizationId: caller.organizationId,
          by: caller.user.name,
          text: body.text,
          idempotencyKey: headers['idempotency-key'],
        });
        crashPoint('message-stored');
        if (isWorked) await within(signalTimeoutMs, sendWorkSignal(redis, params.id, 'message'));
        await outbox.flush();
        return reply.code(added ? 201 : 200).send(message);
      },
    );

    app.get(
      '/v1/operations/:id/messages',
      {
        schema: {
          summary: 'What people said to an operation, and when its agent was told',
          params: idParams,
          response: { 200: messageListSchema },
        },
      },
      async ({ caller, params }) => {
        await findOperation(database, caller, params.id);
        return { messages: await database.messages.list(params.id) };
      },
    );
  };
}
