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

/** Secrets that an operator allows. */
export function allowanceRoutes({ database, forge }: Dependencies): FastifyPluginAsyncZod {
  async function findRepository(organizationId: string, name: string | undefined) {
    if (name === undefined) return undefined;
    const found = await forge.resolve(name);
    if (!found)
      throw new FettleError(
        'bad_request',
        'must be a path, a URL or owner/name of a repository',
        'repository',
      );
    return (await database.repositories.ensure({ organizationId, ...found })).id;
  }

  return async (app) => {
    app.get(
      '/v1/secrets/allowed',
      {
        schema: {
          summary: 'List allowed secrets, newest first',
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
          summary: 'Allow a secret, by its fingerprint',
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
          summary: 'Stop allowing a secret',
          params: allowanceParamsSchema,
          querystring: allowanceQuerySchema,
        },
      },
      async ({ caller, params, query }, reply) => {
        const { organizationId, user } = caller;
        const repositoryId = await findRepository(organizationId, query.repository);
        const which = { organizationId, repositoryId, by: user.name, ...params };
        if (!(await database.allowances.disallow(which)))
          throw new FettleError(
            'not_found',
            `${params.fingerprint} is not allowed for this scope`,
            'fingerprint',
          );
        return reply.code(204).send();
      },
    );
  };
}
