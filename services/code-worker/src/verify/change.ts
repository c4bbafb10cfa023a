import type { Finding, ReasonCode } from '@fettle/contract';
import type { JudgedCheck } from './base-checks.ts';

/** Why a change is proposed as a draft: it is not what was asked for. */
export interface Shortfall {
  reason: ReasonCode;
  message: string;
}

/** A verified change, ready to be proposed. */
export interface Change {
  /** The agent's description of the change. */
  summary: string;
  /** The agent's last message, if it had to stop before it could write a summary. */
  lastText?: string | undefined;
  checks: JudgedCheck[];
  shortfall?: Shortfall;
  /** The findings of the reviewing agent. */
  review?: { findings: Finding[]; problem?: string | undefined };
}
