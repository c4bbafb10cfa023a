/**
 * Flow control per request: the limit of bytes that are sent and not consumed yet. Because of it, both sides can always read
 * the common stream, and a slow consumer does not block the others.
 */

export const windowBytes = 1024 * 1024;
/** The maximum size of a bytes frame, so that other requests get their turn in between. */
export const maxChunkBytes = 256 * 1024;

export interface SendWindow {
  /** Waits until bytes may be sent. Returns how many, at most `wanted`. */
  take(wanted: number): Promise<number>;
  /** The receiver has consumed this many bytes. Returns false if that is more than was sent. */
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
