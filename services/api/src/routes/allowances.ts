import {
  allowanceInputSchema,
  allowanceListSchema,
  allowanceParamsSchema,
  allowanceQuerySchema,
  allowanceSchema,
  FettleError,
} from '@fettle/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Dependencies } from '../dependencies.ts';

const dayMs = 24 * 3_600_000;

/** Secrets that may pass. */
export function allowanceRoutes({ database, forge }: Dependencies): FastifyPluginAsyncZod {
  async function findRepository(organizationId: string, name: string | undefined) {
    if (name === undefined) return undefined;
    const found = await forge.resolve(name);
    if (!found) throw new FettleError('bad_request', 'this is not a repository', 'repository');
    return (await database.repositories.ensure({ organizationId, ...found })).id;
  }

  return async (app) => {
    app.get(
      '/v1/secrets/allowed',
      {
        schema: {
          summary: 'The secrets that may pass, the newest first',
          response: { 200: allowanceListSchema },
        },
      },
      async ({ caller: { organizationId } }) => ({
        allowed: await database.allowances.list({ organizationId }),
      }),
    );

    app.post(
      '/v1/secrets/allowed',
      {
        schema: {
          summary: 'Let a secret pass, by its fingerprint',
          body: allowanceInputSchema,
          response: { 201: allowanceSchema },
        },
      },
      async ({ body, caller }, reply) => {
        const { organizationId, user } = caller;
        const { fingerprint, reason, days, repository } = body;
        const allowance = await database.allowances.allow({
          ...{ organizationId, fingerprint, reason, by: user.name },
          repositoryId: await findRepository(organizationId, repository),
          expiresAt: days === undefined ? undefined : new Date(Date.now() + days * dayMs),
        });
        return reply.code(201).send(allowance);
      },
    );

    app.delete(
      '/v1/secrets/allowed/:fingerprint',
      {
        schema: {
          summary: 'Let it pass no longer',
          params: allowanceParamsSchema,
          querystring: allowanceQuerySchema,
        },
      },
      async ({ caller, params, query }, reply) => {
        const { organizationId, user } = caller;
        const repositoryId = await findRepository(organizationId, query.repository);
        const which = { organizationId, repositoryId, by: user.name, ...params };
        if (!(await database.allowances.disallow(which)))
          throw new FettleError('not_found', `${params.fingerprint} is not allowed there`, 'fingerprint');
        return reply.code(204).send();
      },
    );
  };
}
