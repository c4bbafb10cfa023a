import Anthropic from '@anthropic-ai/sdk';
import { z } from 'zod';
import { askWithRetries, type Watched } from './ask-with-retries.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { collectAnswer } from './collect-answer.ts';
import { contextTokensOf } from './context-tokens.ts';
import type { Model, ModelAnswer, ModelRequest, ServiceOptions } from './model.ts';
import { StatusError } from './status-error.ts';
import { type Reasoning, toAnthropic, toThinking } from './to-anthropic.ts';

export interface AnthropicOptions extends ServiceOptions, Reasoning {}

export function anthropicModel(options: AnthropicOptions): Model {
  const { model, apiKey, baseUrl, maxRetries, idleMs } = options;
  // Retries are ours: the SDK's own never cover a failure in mid-stream.
  const client = new Anthropic({
    apiKey,
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
    maxRetries: 0,
    fetch: boundedFetch,
    timeout: idleMs,
    // What is said to the model goes to nobody else, whatever the environment asks for.
    openTelemetry: false,
  });

  async function askOnce(request: ModelRequest, watched: Watched): Promise<ModelAnswer> {
    const max_tokens = Math.min(options.maxOutputTokens, request.maxOutputTokens ?? options.maxOutputTokens);
    const asked = { model, max_tokens, stream: true as const };
    const body = { ...asked, ...toThinking(options, max_tokens), ...toAnthropic(request) };
    // The body of an error is read inside this call, so that it is watched as well.
    const stream = await watched
      .until(client.messages.create(body, { signal: watched.signal }))
      .catch((error: unknown) => {
        throw toStatusError(error) ?? error;
      });
    // Leaving the stream early ends it; one that was read to its end leaves its connection for the next turn.
    return collectAnswer(watched.watch(stream), {
      promptCharacters: () => JSON.stringify(body).length,
      lose: watched.lose,
    });
  }

  return {
    name: model,
    contextTokens: options.contextTokens ?? contextTokensOf(model),
    answer: askWithRetries({ apiKey, keyName: 'ANTHROPIC_API_KEY', maxRetries, idleMs, askOnce }),
  };
}

/** The service's own words, without what is around them. */
const saidSchema = z.object({ error: z.object({ message: z.string().min(1) }) });

function toStatusError(error: unknown): StatusError | undefined {
  if (!(error instanceof Anthropic.APIError) || error.status === undefined) return undefined;
  const { status, headers } = error;
  const said = saidSchema.safeParse(error.error);
  const words = said.success ? said.data.error.message : error.message;
  return new StatusError(words, { status, ...(headers && { headers }) });
}
