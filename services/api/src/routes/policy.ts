import { denialQuerySchema, denialReportSchema } from '@fettle/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Dependencies } from '../dependencies.ts';

export function policyRoutes({ database }: Dependencies): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/v1/policy/denials',
      {
        schema: {
          summary: 'What was denied most, by rule and token',
          description:
            'For tuning: each with how often, in how many operations, when last, and the last one.',
          querystring: denialQuerySchema,
          response: { 200: denialReportSchema },
        },
      },
      async ({ caller, query }) =>
        database.denials.report({ organizationId: caller.organizationId, ...query }),
    );
  };
}
