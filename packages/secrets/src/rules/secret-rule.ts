import type { Severity } from '../finding.ts';

/** A rule of our own, for what the maintained set does not cover. */
export interface SecretRule {
  id: string;
  severity: Severity;
  reason: string;
  /**
   * Global, with every repetition bounded, so that no text can make them slow. Each begins with a constant,
   * so that most texts are skipped quickly. The group `secret` is the part to protect;
   * without it, the whole match is.
   */
  patterns: RegExp[];
  /** For patterns that go by a name or a position: whether the value itself looks like a secret. */
  accepts?: (secret: string) => boolean;
  /** As templates of `synthesize`, so that this repository contains nothing that looks like a secret. */
  matches: string[];
  leaves: string[];
}
