// Reasoning must come back unchanged, as with the real API; a hash is all that it takes to notice.
import { createHash } from 'node:crypto';

const PREFIX = 'rehearsal-';

export function signThinking(thinking: string): string {
  return PREFIX + createHash('sha256').update(thinking).digest('base64');
}

/** A signature from elsewhere (a recorded one) cannot be judged and passes. */
export function signatureFits(block: { thinking: string; signature: string }): boolean {
  return !block.signature.startsWith(PREFIX) || block.signature === signThinking(block.thinking);
}
