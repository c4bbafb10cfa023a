/** `approve` does not stop a change: it asks for a person's attention. */
export interface Objection {
  decision: 'approve' | 'deny';
  /** The name of the rule, as listed in docs/policy.md. */
  rule: string;
  reason: string;
  /** The closest allowed alternative. */
  instead?: string;
}
