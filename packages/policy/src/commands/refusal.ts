/** Why a command line, or a part of it, may not run. */
export interface Refusal {
  ok: false;
  rule: string;
  reason: string;
  /** The part of the line that it is about. */
  token?: string;
  /** The nearest thing that is allowed. */
  instead?: string;
}

export function refuse(
  rule: string,
  reason: string,
  more: { token?: string; instead?: string } = {},
): Refusal {
  return { ok: false, rule, reason, ...more };
}
