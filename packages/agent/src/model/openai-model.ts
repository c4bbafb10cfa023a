/** Chat completions: OpenAI's own service, and the many servers that speak the same. */
import { z } from 'zod';
import { askWithRetries, type Watched } from './ask-with-retries.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { chatErrorSchema } from './chat-chunk.ts';
import { collectChat } from './collect-chat.ts';
import { contextTokensOf } from './context-tokens.ts';
import type { Model, ModelAnswer, ModelRequest, ServiceOptions } from './model.ts';
import { chunksOf, readEvents } from './read-events.ts';
import { StatusError } from './status-error.ts';
import { toChat } from './to-chat.ts';

export interface OpenaiOptions extends ServiceOptions {
  effort?: string | undefined;
}

const openaiUrl = 'https://api.openai.com/v1';
const maxRefusalBytes = 64_000;

export function openaiModel(options: OpenaiOptions): Model {
  const { model, apiKey, baseUrl = openaiUrl, maxRetries, idleMs, effort } = options;
  const url = `${baseUrl.replace(/\/$/, '')}/chat/completions`;
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };

  async function askOnce(
    request: ModelRequest,
    { signal, until, watch, lose }: Watched,
  ): Promise<ModelAnswer> {
    const body = JSON.stringify({
      model,
      max_completion_tokens: Math.min(
        options.maxOutputTokens,
        request.maxOutputTokens ?? options.maxOutputTokens,
      ),
      stream: true,
      stream_options: { include_usage: true },
      ...(effort !== undefined && { reasoning_effort: effort }),
      ...toChat(request),
    });
    const response = await until(boundedFetch(url, { method: 'POST', headers, body, signal }));
    if (!response.ok) throw await until(readRefusal(response));
    if (!response.body) throw new Error('the response has no body');
    return collectChat(readEvents(watch(chunksOf(response.body))), {
      promptCharacters: () => body.length,
      lose,
    });
  }

  return {
    name: model,
    contextTokens: options.contextTokens ?? contextTokensOf(model),
    answer: askWithRetries({ apiKey, keyName: 'OPENAI_API_KEY', maxRetries, idleMs, askOnce }),
  };
}

/** The service's own words, without what is around them. */
const refusalSchema = z.object({ error: chatErrorSchema });

async function readRefusal({ status, headers, body }: Response): Promise<StatusError> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ? chunksOf(body) : []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxRefusalBytes) break;
  }
  const text = Buffer.concat(chunks).toString('utf8');
  const said = parseJson(text);
  const { message, code } = refusalSchema.safeParse(said).data?.error ?? {};
  const words = message ?? (text.trim() || 'no reason given');
  return new StatusError(words, { status, headers, ...(code && { code: String(code) }) });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
