/** Two places where more rules can look at a call. They can only tighten: refuse it with a reason, or end the work. */
import type { ReasonCode } from '@fettle/contract';
import type { Tool } from '../tools/tool.ts';
import type { CallResult } from './call-tool.ts';

export type Objection =
  | { kind: 'block'; reason: string }
  | { kind: 'stop'; reason: ReasonCode; message: string };

export interface JudgedCall {
  /** The number of its part, where it has one. */
  part?: number | undefined;
  tool: Tool;
  input: Record<string, unknown>;
}

export interface Hooks {
  /** After the rules have allowed the call, before it runs. */
  afterPolicy: ((call: JudgedCall) => Objection | undefined)[];
  /** After the result is formed, before it is on record and the model sees it. */
  afterResult: ((call: JudgedCall, result: CallResult) => Objection | undefined)[];
}

export const noHooks: Hooks = { afterPolicy: [], afterResult: [] };

/** The first objection counts; a stop counts before a block. */
export function firstObjection(objections: (Objection | undefined)[]): Objection | undefined {
  return objections.find((each) => each?.kind === 'stop') ?? objections.find((each) => each !== undefined);
}
