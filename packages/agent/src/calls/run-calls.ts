/** The calls of one answer: those that only read run at the same time, all others alone and in their order. */

import type { EventBody } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import type { PendingCall } from '../loop/take-answer.ts';
import type { UserItem } from '../model/model.ts';
import { type CallEnd, type CallSurroundings, callTool, refuseAll } from './call-tool.ts';
import type { Objection } from './hooks.ts';

export interface CallsOptions extends CallSurroundings {
  record(...events: EventBody[]): Promise<void>;
}

export interface FinishedCall extends PendingCall {
  result: CallEnd['result'];
}

export interface CallsEnd {
  finished: FinishedCall[];
  /** How long programs of the repository ran. */
  programMs: number;
  stop: Extract<Objection, { kind: 'stop' }> | undefined;
}

const readersAtOnce = 8;

export async function runCalls(calls: PendingCall[], options: CallsOptions): Promise<CallsEnd> {
  const finished: FinishedCall[] = [];
  let stop: CallsEnd['stop'];
  let room = options.context.limits.answerCharacters;
  for (const group of groupCalls(calls, options)) {
    const share = Math.max(leastCharacters, Math.floor(room / group.length));
    // Whoever ends the work ends it for the calls that have not begun.
    const over = stop;
    const running = group.map((call) => ({
      call,
      ending: over ? Promise.resolve(refuseAll(over)) : begin(call, options, share),
    }));
    // On record in the order in which they were asked for, whichever is done first.
    for (const { call, ending } of running) {
      const { result, stop: objection } = await finish(call, await ending, options);
      finished.push({ ...call, result });
      stop ??= objection;
      room -= result.output.length;
    }
  }
  const programMs = finished.reduce((sum, { result }) => sum + result.programMs, 0);
  return { finished, programMs, stop };
}

/** What even the last of a hundred results may say. */
const leastCharacters = 2_000;

function begin({ part, fault }: PendingCall, options: CallsOptions, share: number): Promise<CallEnd> {
  const maxCharacters = Math.min(share, options.context.limits.outputCharacters);
  const { number, tool, input } = part;
  const ending = callTool({ part: number, tool, input, fault }, options, maxCharacters);
  // One that fails beside others is heard of in its turn, or not at all.
  ending.catch(() => {});
  return ending;
}

async function finish({ part }: PendingCall, end: CallEnd, options: CallsOptions): Promise<CallEnd> {
  const { number } = part;
  crashPoint('tool-ran', number);
  if (end.whole !== undefined) options.context.outputs.keep(number, end.whole);
  await options.record({ type: 'part.finished', part: { ...part, ...end.result } });
  crashPoint('part-finished', number);
  return end;
}

function groupCalls(calls: PendingCall[], { tools }: CallSurroundings): PendingCall[][] {
  const readers = new Set(tools.filter(({ effect }) => effect === 'reads').map(({ name }) => name));
  const groups: PendingCall[][] = [];
  let mayJoin = false;
  for (const call of calls) {
    const reads = readers.has(call.part.tool);
    const last = groups.at(-1);
    if (reads && mayJoin && last && last.length < readersAtOnce) last.push(call);
    else groups.push([call]);
    mayJoin = reads;
  }
  return groups;
}

/** What the model is told of them, in the order in which it asked. */
export function toResults(finished: FinishedCall[]): UserItem[] {
  return finished.map(({ part, result }) => {
    const { output, status } = result;
    return { kind: 'result', callId: part.callId, output, isError: status !== 'ok' };
  });
}
