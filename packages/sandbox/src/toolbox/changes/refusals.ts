import type { Refused } from '../../protocol/schemas.ts';

const maxListed = 200;
/** Of all together: they go in one frame. */
const maxListedBytes = 256 * 1024;

export interface Refusals {
  add(path: string, reason: string): void;
  listed(): Refused[];
  count(): number;
}

/** Lists the first ones and counts them all: a hostile workspace can hold any number. */
export function createRefusals(): Refusals {
  const list: Refused[] = [];
  let count = 0;
  let bytes = 0;
  return {
    add(path, reason) {
      count += 1;
      const refused = { path: path.slice(0, 1000), reason };
      // What JSON escapes is up to six times as long.
      bytes += JSON.stringify(refused).length;
      if (list.length < maxListed && bytes <= maxListedBytes) list.push(refused);
    },
    listed: () => list,
    count: () => count,
  };
}
