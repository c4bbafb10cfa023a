/**
 * The shape of a rule of the mode `contained`. The sandbox is the boundary there: these rules only answer at once what
 * would fail anyway, or after a long wait.
 */
export interface ContainedRule {
  rule: string;
  programs: string[];
  /** The first words after the flags: `install`, or two words as in `pip install`. Without it, every call. */
  subcommands?: string[];
  /** Flags of the program that have a value as the next word, and stand before the subcommand. */
  valueFlags?: string[];
  /** With one of these words, the rule does not apply. */
  unless?: string[];
  /** The rule does not apply to calls that name only this machine. */
  exceptLoopback?: boolean;
  /** The rule applies only if an argument matches. */
  onlyWith?: RegExp;
  /** The rule does not apply if an argument matches. */
  exceptWith?: RegExp;
  reason: string;
  instead: string;
  match: string[];
  notMatch: string[];
}
