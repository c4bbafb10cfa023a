/** A stand-in until commands are judged: it refuses all of them. */
import type { Objection } from '../verdict.ts';

export type CommandVerdict =
  | { decision: 'allow'; rules: string[]; plan: unknown }
  | (Objection & { token?: string });

export function judgeCommand(_line: string): CommandVerdict {
  return { decision: 'deny', rule: 'no-rules', reason: 'there are no rules for commands yet' };
}
