import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFaultQueue } from './answer/decide.ts';
import { createPromptCache } from './answer/prompt-cache.ts';
import { answerRequest, type Stage } from './http/answer-request.ts';
import { type Counts, createJournal, type Failure, type RecordedRequest } from './journal.ts';
import { type Conversation, conversationSchema } from './record/conversation.ts';

export type RehearsalOptions = {
  conversations: Conversation[];
  port?: number;
  host?: string;
  /** How long to wait before each answer. */
  latencyMs?: number;
  /** The only accepted key. By default, any key is accepted. */
  apiKey?: string;
  /** Called when a request is not in the record. The default prints to standard error. */
  onFailure?: (failure: Failure) => void;
  /** Awaited before each answer, so that a test can hold it back. */
  beforeAnswer?: (body: unknown) => Promise<void>;
  /** Called with every request for a message. The journal keeps only the latest ones. */
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
      // The exception is expected if the client has disconnected. Any other one is a bug.
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
  return {
    memory,
    journal: createJournal(options.onRequest),
    apiKey,
    latencyMs,
    onFailure,
    beforeAnswer: options.beforeAnswer,
  };
}

function whenClosed(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => controller.abort());
  return controller.signal;
}

const maxMessageLength = 4_000;

/** A request that is not in the record fails the test, even if the client swallows the error. So it is printed too. */
function printFailure({ conversation, turn, reason, lastMessages }: Failure): void {
  const messages = lastMessages.map((message) => `  ${shorten(JSON.stringify(message))}\n`).join('');
  process.stderr.write(
    `rehearsal ${conversation ?? '(none)'}, turn ${turn}: ${reason}\nlast messages of the request:\n${messages}`,
  );
}

function shorten(text: string): string {
  const left = text.length - maxMessageLength;
  return left > 0 ? `${text.slice(0, maxMessageLength)}… (${left} more)` : text;
}
