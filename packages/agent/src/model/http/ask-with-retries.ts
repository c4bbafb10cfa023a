/** Asks a service for an answer: watches it for silence, and retries while the failure may pass. */
import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from '@fettle/backoff';
import type { Usage } from '@fettle/contract';
import { type Model, type ModelAnswer, ModelFailure, type ModelRequest, noUsage } from '../model.ts';
import { classifyFailure, type Key } from './classify-failure.ts';
import { createIdleWatchdog } from './idle-watchdog.ts';

export interface Watched {
  /** Aborted by the caller or by silence. */
  signal: AbortSignal;
  /** Rejects if the promise takes longer than the idle limit. */
  until<T>(promise: Promise<T>): Promise<T>;
  watch<T>(stream: AsyncIterable<T>): AsyncIterable<T>;
  /** Reports the cost of an answer that failed. */
  lose(usage: Usage): void;
}

export interface Service extends Key {
  maxRetries: number;
  idleMs: number;
  /** Keeps nothing of an answer that fails half-way, so that a retry duplicates nothing. */
  askOnce(request: ModelRequest, watched: Watched): Promise<ModelAnswer>;
}

const backoff = { firstMs: 500, longestMs: 60_000 };

export function askWithRetries(service: Service): Model['answer'] {
  return async (request, { signal, onRetry, roomLeft }) => {
    let asked = request;
    for (let retry = 1; ; retry++) {
      let lost = noUsage;
      const lose = (usage: Usage) => {
        lost = usage;
      };
      try {
        return await askWatched(service, asked, { caller: signal, lose });
      } catch (error) {
        signal.throwIfAborted();
        const { message, end, retryAfterSeconds } = classifyFailure(error, service);
        if (end) throw new ModelFailure(end, message, lost);
        if (retry > service.maxRetries) throw new ModelFailure('model_unreachable', message, lost);
        const pauseMs = pauseBefore(retry, retryAfterSeconds);
        await onRetry({ retry, message, pauseMs, lost });
        await delay(pauseMs, undefined, { signal });
        if (roomLeft) asked = { ...request, maxOutputTokens: roomLeft() };
      }
    }
  };
}

/** Honours the pause that the service asks for, up to the longest one. */
function pauseBefore(retry: number, retryAfterSeconds: number | undefined): number {
  if (retryAfterSeconds === undefined) return backoffMs(retry - 1, backoff);
  return Math.min(Math.max(retryAfterSeconds * 1000, 0), backoff.longestMs);
}

async function askWatched(
  service: Service,
  request: ModelRequest,
  { caller, lose }: { caller: AbortSignal; lose: Watched['lose'] },
): Promise<ModelAnswer> {
  const watchdog = createIdleWatchdog(service.idleMs);
  const signal = AbortSignal.any([caller, watchdog.signal]);
  try {
    return await service.askOnce(request, { ...watchdog, signal, lose });
  } catch (error) {
    throw watchdog.signal.aborted && !caller.aborted ? watchdog.signal.reason : error;
  } finally {
    watchdog.stop();
  }
}
