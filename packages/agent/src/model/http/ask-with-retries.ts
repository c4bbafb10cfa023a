/** What every service needs: an answer that is watched for silence, and asked for again while the trouble may pass. */
import type { Usage } from '@fettle/contract';
import { type Model, type ModelAnswer, ModelFailure, type ModelRequest, noUsage } from '../model.ts';
import { judgeTrouble, type Key } from './classify-failure.ts';
import { createIdleWatchdog } from './idle-watchdog.ts';
import { pauseBeforeRetry, sleep } from './retry-pause.ts';

export interface Watched {
  /** Aborted by the caller or by silence. */
  signal: AbortSignal;
  /** What takes too long is left behind. */
  until<T>(promise: Promise<T>): Promise<T>;
  watch<T>(stream: AsyncIterable<T>): AsyncIterable<T>;
  /** Tells what an answer has cost that is not going to be one. */
  lose(usage: Usage): void;
}

export interface Service extends Key {
  maxRetries: number;
  idleMs: number;
  /** Nothing of an answer that fails half-way is kept, so that no part is ever doubled. */
  askOnce(request: ModelRequest, watched: Watched): Promise<ModelAnswer>;
}

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
        const { message, end, retryAfterSeconds } = judgeTrouble(error, service);
        if (end) throw new ModelFailure(end, message, lost);
        if (retry > service.maxRetries) throw new ModelFailure('model_unreachable', message, lost);
        const pauseMs = pauseBeforeRetry(retry, retryAfterSeconds);
        await onRetry({ retry, message, pauseMs, lost });
        await sleep(pauseMs, signal);
        if (roomLeft) asked = { ...request, maxOutputTokens: roomLeft() };
      }
    }
  };
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
