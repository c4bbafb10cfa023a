/** Whether the broker can start sandboxes now: its engine answers, and has the default image. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Engine } from './connect-engine.ts';

const timeoutMs = 2_000;
/** Callers need no key to ask, so the engine is asked at most this often. */
const maxAgeMs = 1_000;

export interface EngineHealthOptions {
  engine: Engine;
  image: string;
}

/** Returns why no sandbox can be started, or undefined. */
export type EngineHealth = () => Promise<string | undefined>;

export function createEngineHealth({ engine, image }: EngineHealthOptions): EngineHealth {
  let asked: Promise<string | undefined> | undefined;
  let askedAt = 0;

  async function ask(): Promise<string | undefined> {
    try {
      const late = delay(timeoutMs, undefined, { ref: false }).then(() => {
        throw new Error('no answer');
      });
      await Promise.race([engine.getImage(image).inspect(), late]);
      return undefined;
    } catch (error) {
      const isMissing = (error as { statusCode?: number }).statusCode === 404;
      return isMissing ? `the engine does not have the image ${image}` : 'the engine does not answer';
    }
  }

  return () => {
    const now = performance.now();
    if (asked === undefined || now - askedAt > maxAgeMs) {
      askedAt = now;
      asked = ask();
    }
    return asked;
  };
}
