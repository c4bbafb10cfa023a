import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Dependencies } from '../../dependencies.ts';
import type { Rejections } from './rejections.ts';

const statusSchema = z.object({
  deliveries: z
    .record(z.string(), z.int())
    .describe('How many webhooks are waiting, done, ignored and failed, of the last days'),
  lastReceivedAt: z.iso.datetime().nullable(),
  rejected: z.record(z.string(), z.int()).describe('How many were rejected since the start, by reason'),
});

export function deliveryStatusRoute(
  { database }: Pick<Dependencies, 'database'>,
  rejections: Rejections,
): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/v1/github/webhooks',
      { schema: { summary: 'Count the webhooks of GitHub', response: { 200: statusSchema } } },
      async () => {
        const { states, lastReceivedAt } = await database.forgeEvents.count();
        return { deliveries: states, lastReceivedAt, rejected: rejections.list() };
      },
    );
  };
}
