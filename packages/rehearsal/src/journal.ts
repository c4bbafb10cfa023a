/** Records requests and their outcomes, for tests and benchmarks. */

const maxRequests = 1_000;
const maxRequestBytes = 64 * 1024 * 1024;
const maxFailures = 100;

export type Outcome = 'answered' | 'faulted' | 'refused' | 'failed';

export type RecordedRequest = {
  path: string;
  body: unknown;
  bytes: number;
  conversation: string | null;
  turn: number | null;
  outcome: Outcome;
  /** Milliseconds since the epoch, with fractions: when the request was read, and when the last byte was written. */
  receivedAtMs: number;
  answeredAtMs: number | null;
};

export type Failure = {
  conversation: string | null;
  turn: number;
  reason: string;
  lastMessages: unknown[];
};

export type Counts = Record<Outcome, number> & { requests: number };

export type Journal = {
  add(request: RecordedRequest): void;
  fail(failure: Failure): void;
  requests(): RecordedRequest[];
  failures(): Failure[];
  counts(): Counts;
};

export function createJournal(onRequest: (request: RecordedRequest) => void = () => {}): Journal {
  const requests: RecordedRequest[] = [];
  const failures: Failure[] = [];
  const counts: Counts = { requests: 0, answered: 0, faulted: 0, refused: 0, failed: 0 };
  let bytes = 0;
  return {
    add(request) {
      onRequest(request);
      requests.push(request);
      counts.requests += 1;
      counts[request.outcome] += 1;
      bytes += request.bytes;
      while (requests.length > maxRequests || (bytes > maxRequestBytes && requests.length > 1)) {
        bytes -= requests.shift()?.bytes ?? 0;
      }
    },
    fail(failure) {
      failures.push(failure);
      if (failures.length > maxFailures) failures.shift();
    },
    requests: () => [...requests],
    failures: () => [...failures],
    counts: () => ({ ...counts }),
  };
}

export function nowMs(): number {
  return performance.timeOrigin + performance.now();
}
