import { changesInputSchema, operationSchema } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Dependencies } from '../dependencies.ts';
import { idParams, keyHeaders } from './params.ts';

export function revisionRoutes({ config, database, outbox }: Dependencies): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/v1/operations/:id/request-changes',
      {
        schema: {
          summary: 'Request changes to a proposal that awaits approval',
          description:
            'The operation goes back to work on its own branch and adds one commit to its pull request. If that fails, the proposal stays as it was. To reach an operation that is still working, send a message.',
          params: idParams,
          headers: keyHeaders,
          body: changesInputSchema,
          response: { 200: operationSchema },
        },
      },
      async ({ body, caller, headers, params }) => {
        const operation = await database.operations.revise({
          id: params.id,
          organizationId: caller.organizationId,
          by: caller.user.name,
          text: body.message,
          idempotencyKey: headers['idempotency-key'],
          maxRevisions: config.maxRevisions,
        });
        crashPoint('revision-started');
        await outbox.flush();
        return operation;
      },
    );
  };
}
