/** Two extension points of every call. Hooks can only tighten: they block a call with a reason, or stop the operation. */
import type { ReasonCode } from '@fettle/contract';
import type { Tool, TouchedPath } from '../tools/tool.ts';
import type { CallResult } from './call-result.ts';

export type Objection =
  | { kind: 'block'; reason: string }
  | { kind: 'stop'; reason: ReasonCode; message: string };

/** A call whose input fits the schema of its tool. */
export interface ParsedCall {
  /** The number of its part, if it has one. */
  part?: number | undefined;
  tool: Tool;
  input: Record<string, unknown>;
  /** The paths that the tool declares for this input. */
  paths: TouchedPath[];
}

export interface Hooks {
  /** Runs after the policy allowed the call, before the tool runs. */
  afterPolicy: ((call: ParsedCall) => Objection | undefined)[];
  /** Runs before the result is recorded and before the model sees it. */
  afterResult: ((call: ParsedCall, result: CallResult) => Objection | undefined)[];
}

export const noHooks: Hooks = { afterPolicy: [], afterResult: [] };

/** Returns the first stop, or the first block if there is no stop. */
export function firstObjection(objections: (Objection | undefined)[]): Objection | undefined {
  return objections.find((each) => each?.kind === 'stop') ?? objections.find((each) => each !== undefined);
}
