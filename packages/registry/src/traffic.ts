import type { Answer, Source } from './answer.ts';

/** The requests of one install window, for the log and to explain a failed install. */
export interface Traffic {
  requests: number;
  by: Record<Source, number>;
  /** The first few requests that failed, each with its reason. */
  failed: string[];
}

const maxReasons = 5;
const maxPathLength = 120;

export function createTraffic(): Traffic & { note(path: string, answer: Answer): void } {
  const traffic: Traffic = {
    requests: 0,
    by: { cache: 0, registry: 0, stale: 0, refused: 0, away: 0 },
    failed: [],
  };
  return {
    ...traffic,
    note(path, { source, reason }) {
      this.requests += 1;
      this.by[source] += 1;
      if (reason === undefined || this.failed.length >= maxReasons) return;
      const line = `${JSON.stringify(path.slice(0, maxPathLength))}: ${reason}`;
      if (!this.failed.includes(line)) this.failed.push(line);
    },
  };
}

export function describeTraffic({ requests, by, failed }: Traffic): string {
  if (requests === 0) return 'No request reached the registry.';
  const counts = `${requests} requests to the registry, ${by.cache + by.stale} answered from the cache`;
  const away = by.stale > 0 ? '; the registry is unavailable' : '';
  return [`${counts}${away}.`, ...failed.map((line) => `Failed: ${line}.`)].join('\n');
}
