import { FettleError } from '@fettle/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Dependencies } from '../dependencies.ts';
import { idParams } from './params.ts';

const pullRequestSchema = z.object({
  id: z.string(),
  number: z.int(),
  operationId: z.string(),
  url: z.string().nullable().describe('The page on GitHub'),
  state: z.enum(['open', 'draft', 'merged', 'closed']),
  title: z.string(),
  body: z.string(),
  branch: z.string(),
  baseBranch: z.string(),
  baseCommit: z.string(),
  headCommit: z.string(),
  stat: z.object({ files: z.int(), added: z.int(), deleted: z.int() }),
  commits: z.array(z.object({ oid: z.string(), subject: z.string() })),
  diff: z.string(),
});

export function pullRequestRoutes({ database }: Dependencies): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/v1/pull-requests/:id',
      {
        schema: {
          summary: 'Get a pull request, with its diff. The id of its operation can be used too',
          params: idParams,
          response: { 200: pullRequestSchema },
        },
      },
      async ({ caller, params }) => {
        const found = await database.pullRequests.get(params.id, caller.organizationId);
        if (!found) throw new FettleError('not_found', `there is no pull request ${params.id}`, 'id');
        return found;
      },
    );
  };
}
