import { createDiskLook, type DiskLook } from '@fettle/sandbox';
import type { BrokerSandbox } from '../sandboxes/sandbox.ts';
import { findPlace } from './locate-sandbox.ts';
import { holdStill } from './pause-container.ts';

/** Of the limit; the file system belongs to all of an engine. */
const growthShare = 0.1;

export interface DiskLooker {
  /** Notes how much is free, before anything runs inside. */
  begin(): void;
  /** Begins a look unless one is under way: one that takes long to count must not hold up those beside it. */
  look(): void;
  /** What was counted last; undefined where this process cannot get at the volume. */
  bytes(): number | undefined;
  /** Whether it was tried to get at the volume, in vain. */
  isBlind(): boolean;
  stop(): void;
}

export interface LookerOptions {
  maxDiskBytes: number;
  onExceeded: (excess: string) => void;
  /** Called once, with what will not be counted. */
  onUnseen: (what: 'volume' | 'processes') => void;
  onError: (error: unknown) => void;
}

/** Looks into one sandbox, as far as this process can. */
export function createDiskLooker(sandbox: BrokerSandbox, options: LookerOptions): DiskLooker {
  const stopping = new AbortController();
  const { signal } = stopping;
  const { maxDiskBytes: diskBytes } = options;
  let opening: Promise<DiskLook | undefined> | undefined;
  let disk: DiskLook | undefined;
  let isBlind = false;
  let isLooking = false;

  async function open(): Promise<DiskLook | undefined> {
    await sandbox.starting;
    const { container } = sandbox;
    const place = container && (await findPlace(container));
    isBlind = place === undefined;
    sandbox.countsHiddenFiles = place?.head !== undefined;
    if (place?.head === undefined) options.onUnseen(isBlind ? 'volume' : 'processes');
    disk =
      place &&
      createDiskLook({
        ...place,
        diskBytes,
        worthCountingBytes: diskBytes * growthShare,
        holdStill: (work) => holdStill(container, work),
        signal,
      });
    return disk;
  }

  function begin(): void {
    opening ??= open();
    opening.catch(() => {
      opening = undefined;
    });
  }

  async function lookOnce(): Promise<void> {
    if (isBlind || sandbox.ending !== undefined) return;
    begin();
    const excess = await (await opening)?.look();
    if (excess !== undefined && !signal.aborted) options.onExceeded(excess);
  }

  return {
    begin,
    look() {
      if (isLooking) return;
      isLooking = true;
      lookOnce()
        // What is being ended vanishes while it is looked at.
        .catch((error) => sandbox.ending === undefined && options.onError(error))
        .finally(() => {
          isLooking = false;
        });
    },
    bytes: () => disk?.bytes(),
    isBlind: () => isBlind,
    stop: () => stopping.abort(),
  };
}
