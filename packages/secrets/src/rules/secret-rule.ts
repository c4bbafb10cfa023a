import type { Severity } from '../finding.ts';

/** A rule of our own, for what the maintained set leaves out. */
export interface SecretRule {
  id: string;
  severity: Severity;
  reason: string;
  /**
   * Global, and every repetition in them bounded, so that no text can make them slow; each begins with what is
   * always the same, so that most texts are passed over at once. The group `secret` is what must not get out;
   * where there is none, the whole match is.
   */
  patterns: RegExp[];
  /** For patterns that go by a name or a place: whether the value itself looks like a secret. */
  accepts?: (secret: string) => boolean;
  /** In the language of `synthesize`, so that nothing secret-like stands in this repository. */
  matches: string[];
  leaves: string[];
}
