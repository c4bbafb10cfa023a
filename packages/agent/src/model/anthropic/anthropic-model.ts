import type { MessageStreamEvent } from '@anthropic-ai/sdk/resources/messages/messages';
import { z } from 'zod';
import { contextTokensOf } from '../context-tokens.ts';
import { askWithRetries, type Watched } from '../http/ask-with-retries.ts';
import { postForEvents, serviceErrorSchema } from '../http/post-for-events.ts';
import { createRoute } from '../http/route.ts';
import type { Model, ModelAnswer, ModelRequest, ServiceOptions } from '../model.ts';
import { collectAnswer } from './collect-answer.ts';
import { type Reasoning, toAnthropicJson, toThinking } from './to-anthropic.ts';

export interface AnthropicOptions extends ServiceOptions, Reasoning {}

const anthropicUrl = 'https://api.anthropic.com';
/** The version that the official client sends, whose types we use. */
const apiVersion = '2026-10-21';

export function anthropicModel(options: AnthropicOptions): Model {
  const { model, apiKey, baseUrl = anthropicUrl, maxRetries, idleMs } = options;
  const url = `${baseUrl.replace(/\/$/, '')}/v1/messages`;
  const route = createRoute(url, options.proxy);
  const headers = { authorization: `Bearer ${apiKey}`, 'anthropic-version': apiVersion };

  async function askOnce(request: ModelRequest, watched: Watched): Promise<ModelAnswer> {
    const max_tokens = Math.min(options.maxOutputTokens, request.maxOutputTokens ?? options.maxOutputTokens);
    const asked = { model, max_tokens, stream: true, ...toThinking(options, max_tokens) };
    const body = toAnthropicJson(asked, request);
    const events = await postForEvents({ url, headers, body }, route, watched);
    return collectAnswer(readMessages(events), {
      promptCharacters: () => body.length,
      lose: watched.lose,
    });
  }

  return {
    name: model,
    contextTokens: options.contextTokens ?? contextTokensOf(model),
    answer: askWithRetries({ apiKey, keyName: 'ANTHROPIC_API_KEY', maxRetries, idleMs, askOnce }),
  };
}

const eventSchema = z.looseObject({ type: z.string(), error: z.unknown().optional() });

async function* readMessages(events: AsyncIterable<string>): AsyncGenerator<MessageStreamEvent> {
  for await (const data of events) {
    const event = eventSchema.parse(JSON.parse(data));
    if (event.type === 'error') throw toError(event.error);
    // The fields of each type are checked where they are used.
    yield event as unknown as MessageStreamEvent;
  }
}

function toError(error: unknown): Error {
  const reported = serviceErrorSchema.safeParse(error).data;
  return new Error(
    reported ? `${reported.type ?? 'error'}: ${reported.message}` : 'the stream reported an error',
  );
}
