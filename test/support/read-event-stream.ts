import { type Event, eventSchema } from '@fettle/contract';

/** The events of a server-sent stream, as the contract knows them; comments and heartbeats are passed over. */
export async function* readEventStream(response: Response): AsyncGenerator<Event> {
  if (!response.ok || !response.body)
    throw new Error(`no stream: ${response.status} ${await response.text()}`);
  let rest = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = block.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []));
      if (data.length > 0) yield eventSchema.parse(JSON.parse(data.join('\n')));
    }
  }
}
