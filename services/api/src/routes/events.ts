import { type Event, FettleError } from '@fettle/contract';
import type { Redaction } from '@fettle/secrets';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Dependencies } from '../dependencies.ts';
import { followEvents, isLast } from '../events/follow-events.ts';
import { findOperation } from '../operations/find-operation.ts';
import { idParams } from './params.ts';

const position = z.coerce
  .number()
  .int()
  .min(0)
  .max(2 ** 31 - 1);

export function eventRoutes({ database, tail, redaction }: Dependencies): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/v1/operations/:id/events',
      {
        sse: 'only',
        preParsing: async ({ headers }) => {
          if (!/text\/event-stream|\*\/\*|^$/i.test(headers.accept ?? ''))
            throw new FettleError('not_acceptable', 'events come as a stream');
        },
        schema: {
          summary: 'Follow what an operation does, from any position, as server-sent events',
          params: idParams,
          querystring: z.strictObject({ after: position.optional() }),
          headers: z.object({ 'last-event-id': position.optional() }),
        },
      },
      async (request, reply) => {
        const { id } = request.params;
        await findOperation(database, request.caller, id);
        const given = request.headers['last-event-id'] === undefined ? 'after' : 'last-event-id';
        const after = request.headers['last-event-id'] ?? request.query.after ?? 0;
        const [newest] = await database.events.listLast(id, 1);
        const last = newest?.position ?? 0;
        if (after > last) {
          throw new FettleError('bad_request', `${given}: the last event of ${id} is ${last}`, given);
        }
        // Who has seen the end has seen all; 204 is what makes an EventSource stop reconnecting. An operation that
        // has just ended may still have to say so.
        if (newest && isLast(newest) && after === last) {
          reply.sse.sendHeaders(204);
          return reply.sse.close();
        }
        const gone = new AbortController();
        reply.sse.onClose(() => gone.abort());
        await reply.sse.send(
          asMessages(
            followEvents({ database, tail, operationId: id, after, signal: gone.signal }),
            redaction,
          ),
        );
      },
    );
  };
}

/** The record stays as it is; what people see of it is without secrets. */
async function* asMessages(events: AsyncIterable<Event>, { value }: Redaction) {
  for await (const event of events)
    yield { id: String(event.position), event: event.type, data: value(event) };
}
