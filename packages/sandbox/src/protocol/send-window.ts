// Flow control per request: a sender may have this many bytes on the way that the receiver has not consumed.
// The shared stream itself is therefore never left unread, and one slow consumer cannot hold up the others.

export const windowBytes = 1024 * 1024;
/** Bytes frames are cut to this, so that other requests get their turn between them. */
export const maxChunkBytes = 256 * 1024;

export interface SendWindow {
  /** Waits until something may be sent; gives how many bytes, at most `wanted`. */
  take(wanted: number): Promise<number>;
  /** The receiver consumed this much; false when that is more than was ever sent. */
  grant(byteCount: number): boolean;
  close(reason: Error): void;
}

export function createSendWindow(): SendWindow {
  let outstanding = 0;
  let closed: Error | undefined;
  let wake: (() => void) | undefined;
  return {
    async take(wanted) {
      while (closed === undefined && outstanding >= windowBytes) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (closed !== undefined) throw closed;
      const taken = Math.min(wanted, maxChunkBytes, windowBytes - outstanding);
      outstanding += taken;
      return taken;
    },
    grant(byteCount) {
      if (byteCount > outstanding) return false;
      outstanding -= byteCount;
      wake?.();
      return true;
    },
    close(reason) {
      closed ??= reason;
      wake?.();
    },
  };
}
