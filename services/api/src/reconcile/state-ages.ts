/**
 * How long operations have been in their states, by a monotonic clock. The timestamp in the database counts only once, when
 * this process first sees an operation in a state, and only for the time in which this process could not have seen it. So
 * a clock that is set meanwhile expires nothing.
 */
export interface Stay {
  id: string;
  state: string;
  stateSince: Date;
}

export type StateAges = ReturnType<typeof createStateAges>;

export function createStateAges(now = () => performance.now(), clock = () => Date.now()) {
  /** When each stay began, by the monotonic clock. */
  let begins = new Map<string, number>();
  let updatedAt = Number.NEGATIVE_INFINITY;
  const startedAt = clock() - now();
  return {
    /** Takes all operations in states with a limit. Returns them with the seconds in their state. */
    update<Each extends Stay>(stays: Each[]): (Each & { seconds: number })[] {
      const at = now();
      // The wall clock as it is now, or as it was at the start: the one that makes operations younger counts.
      const today = Math.min(clock(), startedAt + at);
      const known = begins;
      begins = new Map();
      const aged = stays.map((stay) => {
        const key = `${stay.id} ${stay.state} ${stay.stateSince.getTime()}`;
        const sinceMs = Math.max(0, today - stay.stateSince.getTime());
        const began = known.get(key) ?? Math.max(at - sinceMs, updatedAt);
        begins.set(key, began);
        return { ...stay, seconds: (at - began) / 1000 };
      });
      updatedAt = at;
      return aged;
    },
  };
}
