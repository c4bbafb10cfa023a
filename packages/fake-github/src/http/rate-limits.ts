/** The primary rate limit of each caller. The secondary one comes from the faults. */
import type { World } from '../state/world.ts';
import { ApiError } from './api-error.ts';
import type { Caller } from './authenticate.ts';

export interface RateLimits {
  /** Counts a call. Throws if the caller has none left. */
  take(caller: Caller): void;
  /** 304 answers do not count. */
  giveBack(caller: Caller): void;
  headers(caller: Caller): Record<string, string>;
  shape(caller: Caller): { limit: number; used: number; remaining: number; reset: number };
  /** Sets what every caller has left, until the reset. */
  set(remaining: number, resetInSeconds: number): void;
}

const windowMs = 3_600_000;

export function createRateLimits(world: World, limit: number): RateLimits {
  const windows = new Map<string, { used: number; resetAt: number }>();
  let forced: { used: number; resetAt: number } | undefined;
  const windowOf = (caller: Caller) => {
    const now = world.nowMs();
    if (forced && forced.resetAt <= now) forced = undefined;
    const key = keyOf(caller);
    const known = windows.get(key);
    if (known && known.resetAt > now) return known;
    const fresh = forced ? { ...forced } : { used: 0, resetAt: now + windowMs };
    windows.set(key, fresh);
    return fresh;
  };
  const shape = (caller: Caller) => {
    const { used, resetAt } = windowOf(caller);
    return { limit, used, remaining: Math.max(0, limit - used), reset: Math.ceil(resetAt / 1000) };
  };
  const headers = (caller: Caller) => {
    const { used, remaining, reset } = shape(caller);
    return {
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-used': String(used),
      'x-ratelimit-reset': String(reset),
      'x-ratelimit-resource': 'core',
    };
  };
  return {
    take(caller) {
      const window = windowOf(caller);
      if (window.used >= limit)
        throw new ApiError(403, `API rate limit exceeded for ${describe(caller)}.`, {
          headers: headers(caller),
        });
      window.used += 1;
    },
    giveBack(caller) {
      windowOf(caller).used -= 1;
    },
    headers,
    shape,
    set(remaining, resetInSeconds) {
      windows.clear();
      forced = { used: limit - remaining, resetAt: world.nowMs() + resetInSeconds * 1000 };
    },
  };
}

/** All tokens of an installation share one limit. */
function keyOf(caller: Caller): string {
  if (caller.kind === 'anonymous') return 'anonymous';
  if (caller.kind === 'app') return `app ${caller.app.id}`;
  const { installation, account } = caller.token;
  return installation ? `installation ${installation.id}` : `user ${account.id}`;
}

function describe(caller: Caller): string {
  const [kind, id] = keyOf(caller).split(' ');
  return id === undefined ? '127.0.0.1' : `${kind} ID ${id}`;
}
