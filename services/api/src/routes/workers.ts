import { workerListSchema, workerReportSchema } from '@fettle/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Dependencies } from '../dependencies.ts';

/** For people. */
export function workerRoutes({ workers }: Pick<Dependencies, 'workers'>): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/v1/workers',
      {
        schema: {
          summary: 'List the workers that reported in the last 20 seconds, and why one takes no operations',
          response: { 200: workerListSchema },
        },
      },
      async () => ({ workers: workers.list() }),
    );
  };
}

/** For workers. */
export function workerReportRoutes({ workers }: Pick<Dependencies, 'workers'>): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/internal/v1/workers',
      { schema: { hide: true, body: workerReportSchema } },
      async ({ body }, reply) => {
        workers.note(body);
        return reply.code(204).send();
      },
    );
  };
}
