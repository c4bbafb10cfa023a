import Anthropic from '@anthropic-ai/sdk';
import { z } from 'zod';
import { boundedFetch } from './bounded-fetch.ts';
import { collectAnswer } from './collect-answer.ts';
import { createIdleWatchdog } from './idle-watchdog.ts';
import {
  type AnswerOptions,
  type Model,
  type ModelAnswer,
  ModelFailure,
  type ModelRequest,
} from './model.ts';
import { pauseBeforeRetry, sleep } from './retry-pause.ts';
import { toAnthropic } from './to-anthropic.ts';

export interface AnthropicOptions {
  model: string;
  apiKey: string;
  baseUrl: string | undefined;
  maxOutputTokens: number;
  maxRetries: number;
  /** Silence in the middle of an answer longer than this counts as a broken stream. */
  idleMs: number;
}

export function anthropicModel(options: AnthropicOptions): Model {
  // Retries are ours: the SDK's own never cover a failure in mid-stream.
  const client = new Anthropic({
    apiKey: options.apiKey,
    ...(options.baseUrl !== undefined && { baseURL: options.baseUrl }),
    maxRetries: 0,
    fetch: boundedFetch,
    timeout: options.idleMs,
  });

  async function answerOnce(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> {
    const watchdog = createIdleWatchdog(options.idleMs);
    const both = AbortSignal.any([signal, watchdog.signal]);
    try {
      // The body of an error is read inside this call, so that it is watched as well.
      const stream = await watchdog.until(
        client.messages.create(
          {
            model: options.model,
            max_tokens: Math.min(options.maxOutputTokens, request.maxOutputTokens ?? options.maxOutputTokens),
            stream: true,
            ...toAnthropic(request),
          },
          { signal: both },
        ),
      );
      // Leaving the stream early ends it; one that was read to its end leaves its connection for the next turn.
      return await collectAnswer(watchdog.watch(stream));
    } catch (error) {
      throw watchdog.signal.aborted && !signal.aborted ? watchdog.signal.reason : error;
    } finally {
      watchdog.stop();
    }
  }

  return {
    name: options.model,
    async answer(request: ModelRequest, { signal, onRetry }: AnswerOptions): Promise<ModelAnswer> {
      for (let retry = 1; ; retry++) {
        try {
          return await answerOnce(request, signal);
        } catch (error) {
          signal.throwIfAborted();
          const message = describeFailure(error);
          if (isFinal(error)) throw new ModelFailure('model_rejected', message);
          if (retry > options.maxRetries) throw new ModelFailure('model_unreachable', message);
          const pauseMs = pauseBeforeRetry(retry, retryAfterSeconds(error));
          await onRetry({ retry, message, pauseMs });
          await sleep(pauseMs, signal);
        }
      }
    },
  };
}

/** 408, 409, 429 and 5xx pass; every other answer of the service will be the same next time. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof Anthropic.APIError) || error.status === undefined) return false;
  return error.status < 500 && ![408, 409, 429].includes(error.status);
}

function retryAfterSeconds(error: unknown): number | undefined {
  if (!(error instanceof Anthropic.APIError)) return undefined;
  const seconds = Number(error.headers?.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : undefined;
}

/** The service's own words, without what is around them. */
const saidSchema = z.object({ error: z.object({ message: z.string().min(1) }) });

function describeFailure(error: unknown): string {
  if (error instanceof Anthropic.APIError && error.status !== undefined) {
    const said = saidSchema.safeParse(error.error);
    const words = said.success ? said.data.error.message : error.message;
    const advice = [401, 403].includes(error.status) ? ' (check ANTHROPIC_API_KEY)' : '';
    return `${error.status}: ${words.slice(0, 450)}${advice}`;
  }
  const { message, cause } = error as Error;
  const why = cause instanceof Error ? ` (${cause.message})` : '';
  return `${message}${why}`.slice(0, 500);
}
