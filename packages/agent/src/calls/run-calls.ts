/** Runs the calls of one answer: calls that only read run concurrently, all others alone and in order. */
import type { EventBody } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import type { PendingCall } from '../loop/take-answer.ts';
import type { UserItem } from '../model/model.ts';
import { type CallEnd, type CallEnvironment, callTool, denyAfterStop } from './call-tool.ts';
import type { Objection } from './hooks.ts';

export interface CallsOptions extends CallEnvironment {
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

const maxConcurrentReads = 8;

export async function runCalls(calls: PendingCall[], options: CallsOptions): Promise<CallsEnd> {
  const finished: FinishedCall[] = [];
  let stop: CallsEnd['stop'];
  let charactersLeft = options.context.limits.answerCharacters;
  for (const group of groupCalls(calls, options)) {
    const share = Math.max(minCharacters, Math.floor(charactersLeft / group.length));
    const stopped = stop;
    const running = group.map((call) => ({
      call,
      ending: stopped ? Promise.resolve(denyAfterStop(stopped)) : start(call, options, share),
    }));
    // Results are recorded in the order of the calls, whichever finishes first.
    for (const { call, ending } of running) {
      const { result, stop: objection } = await finish(call, await ending, options);
      finished.push({ ...call, result });
      stop ??= objection;
      charactersLeft -= result.output.length;
    }
  }
  const programMs = finished.reduce((sum, { result }) => sum + result.programMs, 0);
  return { finished, programMs, stop };
}

/** Every result gets at least this much, however many calls the answer has. */
const minCharacters = 2_000;

function start({ part, fault }: PendingCall, options: CallsOptions, share: number): Promise<CallEnd> {
  const maxCharacters = Math.min(share, options.context.limits.outputCharacters);
  const { number, tool, input } = part;
  const ending = callTool({ part: number, tool, input, fault }, options, maxCharacters);
  // Awaited in order later. If an earlier call throws first, this rejection must not be unhandled.
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

function groupCalls(calls: PendingCall[], { tools }: CallEnvironment): PendingCall[][] {
  const readers = new Set(tools.filter(({ effect }) => effect === 'reads').map(({ name }) => name));
  const groups: PendingCall[][] = [];
  let mayJoin = false;
  for (const call of calls) {
    const reads = readers.has(call.part.tool);
    const last = groups.at(-1);
    if (reads && mayJoin && last && last.length < maxConcurrentReads) last.push(call);
    else groups.push([call]);
    mayJoin = reads;
  }
  return groups;
}

/** The results for the model, in the order of its calls. */
export function toResults(finished: FinishedCall[]): UserItem[] {
  return finished.map(({ part, result }) => {
    const { output, status } = result;
    return { kind: 'result', callId: part.callId, output, isError: status !== 'ok' };
  });
}
