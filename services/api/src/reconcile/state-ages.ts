/**
 * For how long operations have been in their states, by a clock that never jumps. What the table says counts once,
 * when this process first sees an operation in a state, and there only as far as this process could not have seen it
 * before: a clock that was set in between ages nothing.
 */
export interface Stay {
  id: string;
  state: string;
  stateSince: Date;
}

export type StateAges = ReturnType<typeof createStateAges>;

export function createStateAges(now = () => performance.now(), clock = () => Date.now()) {
  /** When each stay began, by the clock that never jumps. */
  let begins = new Map<string, number>();
  let lookedAt = Number.NEGATIVE_INFINITY;
  const startedAt = clock() - now();
  return {
    /** Takes in all that are in a state with a limit, and gives the seconds of each. */
    look<Each extends Stay>(stays: Each[]): (Each & { seconds: number })[] {
      const at = now();
      // By the clock as it is and as it was at the start: of two that differ, the one that ages less is believed.
      const today = Math.min(clock(), startedAt + at);
      const known = begins;
      begins = new Map();
      const aged = stays.map((stay) => {
        const key = `${stay.id} ${stay.state} ${stay.stateSince.getTime()}`;
        const sinceMs = Math.max(0, today - stay.stateSince.getTime());
        const began = known.get(key) ?? Math.max(at - sinceMs, lookedAt);
        begins.set(key, began);
        return { ...stay, seconds: (at - began) / 1000 };
      });
      lookedAt = at;
      return aged;
    },
  };
}
