import type { Answered, Source } from './answered.ts';

/** What went through one window, for the log and for whoever reads why an install failed. */
export interface Traffic {
  requests: number;
  by: Record<Source, number>;
  /** The first few things that could not be had, each with its reason. */
  notGiven: string[];
}

const KEPT_REASONS = 5;
const SHOWN_PATH = 120;

export function createTraffic(): Traffic & { note(path: string, answered: Answered): void } {
  const traffic: Traffic = {
    requests: 0,
    by: { cache: 0, registry: 0, stale: 0, refused: 0, away: 0 },
    notGiven: [],
  };
  return {
    ...traffic,
    note(path, { source, reason }) {
      this.requests += 1;
      this.by[source] += 1;
      if (reason === undefined || this.notGiven.length >= KEPT_REASONS) return;
      const line = `${JSON.stringify(path.slice(0, SHOWN_PATH))}: ${reason}`;
      if (!this.notGiven.includes(line)) this.notGiven.push(line);
    },
  };
}

export function describeTraffic({ requests, by, notGiven }: Traffic): string {
  if (requests === 0) return 'The registry was not asked for anything.';
  const counts = `${requests} requests to the registry, ${by.cache + by.stale} answered from the cache`;
  const away = by.stale > 0 ? '; the registry is away' : '';
  return [`${counts}${away}.`, ...notGiven.map((line) => `Not given: ${line}.`)].join('\n');
}
