import { type Event, eventSchema } from '@fettle/contract';
import { EventSourceParserStream } from 'eventsource-parser/stream';

/** The events of a server-sent stream, parsed by the contract. Comments and heartbeats are skipped. */
export async function* readEventStream(response: Response): AsyncGenerator<Event> {
  if (!response.ok || !response.body)
    throw new Error(`no event stream: ${response.status} ${await response.text()}`);
  const messages = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { data } of messages) yield eventSchema.parse(JSON.parse(data));
}
