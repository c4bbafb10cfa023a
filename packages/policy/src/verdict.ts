/** `approve` does not stop anything: a person has to be shown it. */
export interface Objection {
  decision: 'approve' | 'deny';
  /** The name of the rule, by which it can be looked up. */
  rule: string;
  reason: string;
  /** The nearest thing that is allowed. */
  instead?: string;
}
