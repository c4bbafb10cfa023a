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
            throw new FettleError('not_acceptable', 'events are sent as text/event-stream only');
        },
        schema: {
          summary: 'Follow the events of an operation as server-sent events, from any position',
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
        // The client has seen the last event. Status 204 makes an EventSource stop reconnecting. The state in the database
        // is not enough, because the last event of an operation that has just ended may not be stored yet.
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

/** Secrets are removed from what people see. The record stays as it is. */
async function* asMessages(events: AsyncIterable<Event>, { value }: Redaction) {
  for await (const event of events)
    yield { id: String(event.position), event: event.type, data: value(event) };
}
