/** Why a command line, or a part of it, may not run. */
export interface Refusal {
  ok: false;
  rule: string;
  reason: string;
  /** The offending part of the line. */
  token?: string;
  /** The closest allowed alternative. */
  instead?: string;
}

export function refuse(
  rule: string,
  reason: string,
  more: { token?: string; instead?: string } = {},
): Refusal {
  return { ok: false, rule, reason, ...more };
}
