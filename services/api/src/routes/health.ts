import { FettleError } from '@fettle/contract';
import { assertRedisWrites, keepsWrites, type Redis } from '@fettle/queue';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Dependencies } from '../dependencies.ts';

const limitMs = 2_000;
const maxWorkerNotes = 10;
const yes = z.literal(true);
const readySchema = z.object({
  database: yes,
  redis: yes,
  events: yes,
  notes: z.array(z.string()).describe('Warnings that need attention but stop nothing'),
});

export function healthRoutes({ database, redis, storage, workers }: Dependencies): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/healthz',
      {
        schema: {
          summary: 'Whether the process is alive',
          security: [],
          response: { 200: z.object({ ok: z.literal(true) }) },
        },
      },
      async () => ({
        ok: true as const,
      }),
    );

    app.get(
      '/readyz',
      {
        schema: {
          summary: 'Whether the server is ready, and why not',
          security: [],
          response: { 200: readySchema },
        },
      },
      async () => {
        await answers('the database', database.ping());
        await answers('the database', database.assertWrites(), ({ message }) => `refuses writes: ${message}`);
        // No ping first: a Redis with a full disk refuses that too.
        await answers('Redis', assertRedisWrites(redis), ({ name, message }) =>
          name === 'ReplyError' ? `refuses writes: ${message}` : 'does not answer',
        );
        if (!storage.isHealthy())
          throw new FettleError('unavailable', 'events cannot be stored; see the log of the api');
        const notes = [
          ...listQuarantined(storage.countQuarantined()),
          ...(await listRedisNotes(redis)),
          ...workers.listProblems().slice(0, maxWorkerNotes),
        ];
        return { database: true as const, redis: true as const, events: true as const, notes };
      },
    );

    app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  };
}

function listQuarantined(count: number): string[] {
  if (count === 0) return [];
  return [`operations whose events cannot be stored (see the log of the api): ${count}`];
}

/** Events exist only in Redis until they are stored in Postgres. */
export async function listRedisNotes(redis: Redis): Promise<string[]> {
  if (await keepsWrites(redis)) return [];
  return ['Redis runs without appendonly and loses its data when it stops; set "appendonly yes"'];
}

async function answers(
  part: string,
  answer: Promise<unknown>,
  explain = (_error: Error) => 'does not answer',
): Promise<void> {
  const late = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error('no answer')), limitMs).unref();
  });
  try {
    await Promise.race([answer, late]);
  } catch (error) {
    throw new FettleError('unavailable', `${part} ${explain(error as Error)}`);
  }
}
