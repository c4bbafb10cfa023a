import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPromptCache } from './answer/prompt-cache.ts';
import { answerRequest, type Stage } from './http/answer-request.ts';
import { type Counts, createJournal, type Failure, type RecordedRequest } from './journal.ts';
import { printFailure } from './print-failure.ts';
import { type Conversation, conversationSchema } from './record/conversation.ts';
import { createFaultQueue } from './record/fault-queue.ts';

export type RehearsalOptions = {
  conversations: Conversation[];
  port?: number;
  host?: string;
  /** How long each answer keeps the client waiting. */
  latencyMs?: number;
  /** The only key that is let in; any is when this is absent. */
  apiKey?: string;
  /** Called when a request was not in the record; prints to standard error unless given. */
  onFailure?: (failure: Failure) => void;
  /** Called with every request for a message: the journal keeps only the latest. */
  onRequest?: (request: RecordedRequest) => void;
};

export type Rehearsal = {
  url: string;
  port: number;
  /** The latest requests for messages, oldest first. */
  requests(): RecordedRequest[];
  failures(): Failure[];
  counts(): Counts;
  close(): Promise<void>;
};

export async function startRehearsal(options: RehearsalOptions): Promise<Rehearsal> {
  const { port = 0, host = '127.0.0.1' } = options;
  const stage = setStage(options);
  const closing = new AbortController();
  const server = createServer((request, response) => {
    const gone = AbortSignal.any([closing.signal, whenClosed(response)]);
    const requestId = `req_${randomUUID().replaceAll('-', '')}`;
    answerRequest(stage, request, { response, requestId, gone }).catch((error: unknown) => {
      response.destroy();
      // A client that left ends its answer by an exception; anything else is a bug of ours.
      if (!gone.aborted && request.complete) throw error;
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  const { requests, failures, counts } = stage.journal;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    port: address.port,
    requests,
    failures,
    counts,
    async close() {
      if (!server.listening) return;
      closing.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function setStage(options: RehearsalOptions): Stage {
  const { latencyMs = 0, apiKey, onFailure = printFailure } = options;
  const conversations = options.conversations.map((it) => conversationSchema.parse(it));
  const names = conversations.map((it) => it.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`two conversations are named ${twice}; ids and faults go by name`);
  const memory = { conversations, faults: createFaultQueue(), cache: createPromptCache() };
  return { memory, journal: createJournal(options.onRequest), apiKey, latencyMs, onFailure };
}

function whenClosed(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => controller.abort());
  return controller.signal;
}
