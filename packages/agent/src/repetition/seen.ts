import { maxSeen } from './limits.ts';

export interface Seen {
  /** Gives whether it had not been seen before. */
  add(key: string): boolean;
}

/** A set that forgets what it has not met for longest. */
export function createSeen(): Seen {
  const keys = new Set<string>();
  return {
    add(key) {
      const isNew = !keys.delete(key);
      keys.add(key);
      if (keys.size > maxSeen) keys.delete(keys.values().next().value as string);
      return isNew;
    },
  };
}
