import { denialQuerySchema, denialReportSchema } from '@fettle/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Dependencies } from '../dependencies.ts';

export function policyRoutes({ database }: Dependencies): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/v1/policy/denials',
      {
        schema: {
          summary: 'List denials by rule and token, most frequent first',
          description:
            'For tuning the policy: how often each was denied, in how many operations, when last, and the last example.',
          querystring: denialQuerySchema,
          response: { 200: denialReportSchema },
        },
      },
      async ({ caller, query }) =>
        database.denials.report({ organizationId: caller.organizationId, ...query }),
    );
  };
}
