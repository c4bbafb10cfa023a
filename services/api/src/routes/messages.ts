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
          summary: 'Send a message to the agent, which sees it before its next turn',
          description:
            'A request with the same Idempotency-Key and the same text returns the message that exists already.',
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
          summary: 'List the messages of an operation, and when the agent saw them',
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
