/** Workers store their checkpoints here, so that another machine can resume the operation. */
import { commitSchema, FettleError, fenceQuerySchema, maxCheckpointBytes } from '@fettle/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { CheckpointUnreadable } from '../checkpoints/checkpoint-store.ts';
import type { Dependencies } from '../dependencies.ts';
import { idParams } from './params.ts';

const params = idParams.extend({ commit: commitSchema });

export function checkpointRoutes({ database, checkpoints, log }: Dependencies): FastifyPluginAsyncZod {
  const route = '/internal/v1/operations/:id/checkpoints/:commit';
  return async (app) => {
    app.addContentTypeParser(
      'application/octet-stream',
      { parseAs: 'buffer', bodyLimit: maxCheckpointBytes },
      (_request, body, done) => done(null, body),
    );

    app.put(
      route,
      {
        bodyLimit: maxCheckpointBytes,
        schema: { hide: true, params, querystring: fenceQuerySchema, body: z.instanceof(Buffer) },
      },
      async ({ params: { id, commit }, query, body }, reply) => {
        await database.operations.owned({ id, fence: query.fence });
        await checkpoints.put({ operationId: id, commit }, body);
        return reply.code(204).send();
      },
    );

    app.put(
      `${route}/base`,
      {
        bodyLimit: maxCheckpointBytes,
        schema: { hide: true, params, querystring: fenceQuerySchema, body: z.instanceof(Buffer) },
      },
      async ({ params: { id, commit }, query, body }, reply) => {
        await database.operations.owned({ id, fence: query.fence });
        await checkpoints.put({ operationId: id, commit, what: 'base' }, body);
        return reply.code(204).send();
      },
    );

    app.get(
      route,
      { schema: { hide: true, params, querystring: fenceQuerySchema } },
      async ({ params: { id, commit }, query }, reply) => {
        await database.operations.owned({ id, fence: query.fence });
        const bytes = await checkpoints.get({ operationId: id, commit }).catch((error: unknown) => {
          if (!(error instanceof CheckpointUnreadable)) throw error;
          // A worker retries an internal error, and none of its retries would help.
          log.error({ operationId: id, commit, err: error }, 'a stored checkpoint cannot be read');
        });
        if (bytes === undefined)
          throw new FettleError('not_found', `there is no checkpoint ${commit} that can be read`);
        return reply.type('application/octet-stream').send(bytes);
      },
    );
  };
}
