// What was asked and what became of it, for tests and benchmarks to look at afterwards.

const MAX_REQUESTS = 1_000;
const MAX_REQUEST_BYTES = 64 * 1024 * 1024;
const MAX_FAILURES = 100;

export type Outcome = 'answered' | 'faulted' | 'refused' | 'failed';

export type RecordedRequest = {
  path: string;
  body: unknown;
  bytes: number;
  conversation: string | null;
  turn: number | null;
  outcome: Outcome;
  /** Milliseconds since the epoch, with fractions: the whole request read, and the answer's last byte handed over. */
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
      while (requests.length > MAX_REQUESTS || (bytes > MAX_REQUEST_BYTES && requests.length > 1)) {
        bytes -= requests.shift()?.bytes ?? 0;
      }
    },
    fail(failure) {
      failures.push(failure);
      if (failures.length > MAX_FAILURES) failures.shift();
    },
    requests: () => [...requests],
    failures: () => [...failures],
    counts: () => ({ ...counts }),
  };
}

export function nowMs(): number {
  return performance.timeOrigin + performance.now();
}
