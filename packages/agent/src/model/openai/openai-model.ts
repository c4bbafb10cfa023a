/** Chat completions: OpenAI's own service and compatible servers. */

import { contextTokensOf } from '../context-tokens.ts';
import { askWithRetries, type Watched } from '../http/ask-with-retries.ts';
import { postForEvents } from '../http/post-for-events.ts';
import { createRoute } from '../http/route.ts';
import type { Model, ModelAnswer, ModelRequest, ServiceOptions } from '../model.ts';
import { collectChat } from './collect-chat.ts';
import { toChat } from './to-chat.ts';

export interface OpenaiOptions extends ServiceOptions {
  effort?: string | undefined;
}

const openaiUrl = 'https://api.openai.com/v1';

export function openaiModel(options: OpenaiOptions): Model {
  const { model, apiKey, baseUrl = openaiUrl, maxRetries, idleMs, effort } = options;
  const url = `${baseUrl.replace(/\/$/, '')}/chat/completions`;
  const route = createRoute(url, options.proxy);
  const headers = { authorization: `Bearer ${apiKey}` };

  async function askOnce(request: ModelRequest, watched: Watched): Promise<ModelAnswer> {
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
    const events = await postForEvents({ url, headers, body }, route, watched);
    return collectChat(events, {
      promptCharacters: () => body.length,
      lose: watched.lose,
    });
  }

  return {
    name: model,
    contextTokens: options.contextTokens ?? contextTokensOf(model),
    answer: askWithRetries({ apiKey, keyName: 'OPENAI_API_KEY', maxRetries, idleMs, askOnce }),
  };
}
