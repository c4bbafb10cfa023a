import type { Refused } from '../../protocol/schemas.ts';

const MAX_LISTED = 200;

export interface Refusals {
  add(path: string, reason: string): void;
  listed(): Refused[];
  count(): number;
}

/** Lists the first ones and counts them all: a hostile workspace can hold any number. */
export function createRefusals(): Refusals {
  const list: Refused[] = [];
  let count = 0;
  return {
    add(path, reason) {
      count += 1;
      if (list.length < MAX_LISTED) list.push({ path: path.slice(0, 1000), reason });
    },
    listed: () => list,
    count: () => count,
  };
}
