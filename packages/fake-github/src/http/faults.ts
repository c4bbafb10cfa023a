/** Failures on demand, for the next requests that match a pattern. */

export interface Fault {
  /** Answers with this status instead of doing anything: 500, 502, 503 … */
  status?: number;
  /** Waits before the request is handled. */
  delayMs?: number;
  /** Closes the connection before the request is handled, or after, so that only the answer is lost. */
  drop?: 'before' | 'after';
  /** The secondary rate limit of GitHub: 403 with `retry-after`. */
  secondaryRateLimit?: { retryAfterSeconds: number };
}

interface PlannedFault {
  pattern: RegExp;
  fault: Fault;
  left: number;
}

export interface Faults {
  /** `pattern` matches `POST /repos/acme/shop/pulls`, without `/api/v3`. `*` stands for any text. */
  plan(pattern: string | RegExp, fault: Fault, times?: number): void;
  take(method: string, path: string): Fault | undefined;
  clear(): void;
}

export function createFaults(): Faults {
  let planned: PlannedFault[] = [];
  return {
    plan(pattern, fault, times = 1) {
      planned.push({ pattern: typeof pattern === 'string' ? compile(pattern) : pattern, fault, left: times });
    },
    take(method, path) {
      const line = `${method} ${path}`;
      const found = planned.find(({ pattern }) => pattern.test(line));
      if (!found) return undefined;
      found.left -= 1;
      planned = planned.filter(({ left }) => left > 0);
      return found.fault;
    },
    clear() {
      planned = [];
    },
  };
}

function compile(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}
