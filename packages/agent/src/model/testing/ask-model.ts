/** Asks a model for one recorded answer, and returns everything that a test can observe. */
import { conversation, type Fault, startRehearsal, type Turn } from '@fettle/rehearsal';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Model, type ModelAnswer, ModelFailure, type ModelRequest } from '../model.ts';

export const helloRequest: ModelRequest = {
  system: 'You fix things.',
  tools: [{ name: 'read_file', description: 'Reads.', inputSchema: { type: 'object', properties: {} } }],
  messages: [{ role: 'user', items: [{ kind: 'text', text: 'hello' }] }],
};

export async function askModel(
  answer: Turn,
  open: (url: string) => Model,
  options: { apiKey?: string } = {},
) {
  const server = await startRehearsal({
    conversations: [conversation('test', [answer])],
    onFailure() {},
    ...options,
  });
  onTestFinished(() => server.close());
  const retries: string[] = [];
  const pauses: number[] = [];
  const result: ModelAnswer | ModelFailure = await open(server.url)
    .answer(helloRequest, {
      signal: AbortSignal.timeout(30_000),
      async onRetry({ message, pauseMs }) {
        retries.push(message);
        pauses.push(pauseMs);
      },
    })
    .catch(failureOf);
  return { result, retries, pauses, counts: server.counts(), sent: server.requests()[0]?.body };
}

export function failureOf(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error;
  throw error;
}

type Ask = (
  faults: Fault[],
  options?: { idleMs?: number; maxRetries?: number },
) => ReturnType<typeof askModel>;

/** The same for every service. `ask` expects the answer 'hi' after the faults. */
export function testRetries(ask: Ask): void {
  describe('transient failures are retried', () => {
    test.each<[string, Fault[]]>([
      ['429', [{ status: 429, retryAfterSeconds: 0 }]],
      ['500 and 529', [{ status: 500 }, { status: 529 }]],
      ['529 and 503, three times', [{ status: 529 }, { status: 503 }, { status: 529 }]],
      ['a connection that breaks before the answer', [{ break: 'before-headers' }]],
      ['a stream that breaks', [{ break: 'mid-stream' }]],
      ['an error in the stream', [{ errorEvent: 'overloaded_error' }]],
    ])('%s', async (_name, faults) => {
      const { result, retries } = await ask(faults);
      expect(result).toMatchObject({ stopReason: 'end', blocks: [{ kind: 'text', text: 'hi' }] });
      expect(retries).toHaveLength(faults.length);
    });

    test('a stream that becomes silent', async () => {
      const { result, retries } = await ask([{ stall: 'mid-stream' }], { idleMs: 300 });
      expect(result).toMatchObject({ blocks: [{ kind: 'text', text: 'hi' }] });
      expect(retries).toEqual(['the stream was silent for 0.3 s']);
    });

    test('but only a limited number of times', async () => {
      const { result, counts } = await ask([{ status: 500 }, { status: 500 }], { maxRetries: 1 });
      expect(result).toMatchObject({ name: 'ModelFailure', reason: 'model_unreachable' });
      expect(counts.requests).toBe(2);
    });
  });
}
