/**
 * What happens to every tool call, in this order: parse, judge by the rules, then by the hooks, put secrets back, run,
 * save what changed, mask, bound (half a secret is not known for one), and the hooks once more. It is on record as
 * started before, and as finished after: that is the loop's.
 */
import type { ChangedFile, FinishedToolPart } from '@fettle/contract';
import { describeIssue } from '@fettle/contract';
import type { PathJudge, PathOperation } from '@fettle/policy';
import { SandboxError } from '@fettle/sandbox';
import { boundOutput } from './bound-output.ts';
import { firstObjection, type Hooks, type JudgedCall, type Objection } from './hooks.ts';
import { placeSecrets, type SecretTokens } from './place-secrets.ts';
import { type Tool, type ToolContext, ToolFailure, type ToolResult } from './tool.ts';

/** What the worker did with the files that a call changed. */
export interface Saved {
  changed: ChangedFile[];
  checkpoint?: string;
  /** Changes that were undone in the sandbox, each with its reason. */
  refused: { path: string; reason: string }[];
  /** Why nothing could be saved. */
  problem?: string;
}

export interface CallSurroundings {
  tools: Tool[];
  /** Tools that are not to be had now, and why. */
  withheld?: { tools: Tool[]; why: string };
  context: Omit<ToolContext, 'mayRead' | 'mask'>;
  judgePath: PathJudge;
  /** Takes changed files out of the sandbox and makes a checkpoint; without paths it looks at all files. */
  saveChanges(paths?: string[]): Promise<Saved>;
  /** Takes out what may stand in no record and no prompt: keys of the installation, secrets of the repository. */
  mask(text: string): string;
  /** How the model's tokens for secrets become secrets again. */
  secrets: SecretTokens;
  hooks: Hooks;
}

export type CallResult = Pick<
  FinishedToolPart,
  'status' | 'output' | 'durationMs' | 'programMs' | 'changed' | 'checkpoint'
>;

interface Call {
  /** The part's number, by which an output that is too long can be read on. */
  part?: number;
  tool: string;
  input: unknown;
  fault?: string | undefined;
}

type Unsaved = Omit<CallResult, 'durationMs'>;
type Checked = { ok: true; call: JudgedCall } | { ok: false; result: Unsaved };
type Stop = Extract<Objection, { kind: 'stop' }>;

export interface CallEnd {
  result: CallResult;
  /** The whole output, where the result holds only its two ends. */
  whole?: string;
  /** Set when a hook wants the work to end. */
  stop?: Stop;
}

export async function callTool(
  call: Call,
  surroundings: CallSurroundings,
  maxCharacters = surroundings.context.limits.outputCharacters,
): Promise<CallEnd> {
  const startedAt = performance.now();
  const checked = checkCall(call, surroundings);
  const before = checked.ok ? judgeByHooks(surroundings.hooks.afterPolicy, checked.call) : undefined;
  const unsaved = !checked.ok
    ? checked.result
    : before === undefined
      ? await runTool(checked.call, surroundings)
      : { ...failure(''), ...denied(before) };
  const whole = surroundings.mask(unsaved.output) || '(no output)';
  const output = boundOutput(whole, maxCharacters, call.part);
  const result = { ...unsaved, output, durationMs: performance.now() - startedAt };
  const after = checked.ok ? judgeByHooks(surroundings.hooks.afterResult, checked.call, result) : undefined;
  const objection = firstObjection([before, after]);
  return {
    result: after === undefined ? result : { ...result, ...denied(after) },
    ...(whole !== output && after === undefined && { whole }),
    ...(objection?.kind === 'stop' && { stop: objection }),
  };
}

function judgeByHooks<Given extends unknown[]>(
  hooks: ((...given: Given) => Objection | undefined)[],
  ...given: Given
): Objection | undefined {
  return firstObjection(hooks.map((hook) => hook(...given)));
}

/** What it changed stays: the files are judged where they are handed out. */
function denied(objection: Objection): Pick<Unsaved, 'status' | 'output'> {
  const why = objection.kind === 'block' ? objection.reason : objection.message;
  return { status: 'denied', output: `This was not allowed: ${why}` };
}

/** What becomes of a call after the work was ended by another. */
export function refuseAll(stop: Stop): CallEnd {
  return { result: { ...failure(''), ...denied(stop), durationMs: 0 } };
}

function checkCall(call: Call, { tools, withheld, judgePath }: CallSurroundings): Checked {
  const tool = tools.find(({ name }) => name === call.tool);
  if (!tool && withheld?.tools.some(({ name }) => name === call.tool))
    return refuse('denied', `${call.tool} was not run: ${withheld.why}.`);
  if (!tool) {
    const names = tools.map(({ name }) => name).join(', ');
    return refuse('failed', `There is no tool ${call.tool.slice(0, 100)}. The tools are: ${names}.`);
  }
  if (call.fault !== undefined) return refuse('failed', `${tool.name} was not run: ${call.fault}.`);
  const parsed = tool.input.safeParse(call.input);
  if (!parsed.success) {
    const { field, message } = describeIssue(parsed.error);
    const what = field ? `${field}: ${message}` : message;
    return refuse('failed', `${tool.name} was not run: ${what}. Correct the input and call it again.`);
  }
  const denial = judgeInput(tool, parsed.data.path, judgePath);
  return denial === undefined
    ? { ok: true, call: { part: call.part, tool, input: parsed.data } }
    : refuse('denied', denial);
}

const done: Record<PathOperation, string> = { read: 'read', write: 'changed', delete: 'deleted' };

/** Every path that a call names, whether it is read or changed. What a person has to be shown is shown later. */
function judgeInput(tool: Tool, path: unknown, judgePath: PathJudge): string | undefined {
  if (typeof path !== 'string') return undefined;
  const operation = tool.operation ?? (tool.effect === 'reads' ? 'read' : 'write');
  const verdict = judgePath(path, operation);
  if (verdict.decision !== 'deny') return undefined;
  const { reason, rule, instead } = verdict;
  const advice = instead === undefined ? '' : ` ${instead}`;
  return `${path} may not be ${done[operation]}: ${reason} (rule ${rule}).${advice}`;
}

async function runTool(
  call: JudgedCall,
  { context, judgePath, saveChanges, mask, secrets }: CallSurroundings,
): Promise<Unsaved> {
  const { tool } = call;
  let result: ToolResult;
  try {
    const placed = await placeSecrets(call, secrets);
    if (!placed.ok) return { ...failure(placed.reason), status: 'denied' };
    const mayRead = (path: string) => judgePath(path, 'read').decision !== 'deny';
    result = await tool.run(placed.input, { ...context, mayRead, mask });
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof ToolFailure) return failure(error.message);
    if (error instanceof SandboxError && !error.endsSandbox) return failure(`${error.message}.`);
    throw error;
  }
  const { output, touched, programMs = 0 } = result;
  if (tool.effect === 'reads') return { status: 'ok', output, programMs, changed: [] };

  const { changed, checkpoint, refused, problem } = await saveChanges(touched);
  return {
    status: result.failed ? 'failed' : 'ok',
    output: output + describeRefused(refused) + (problem === undefined ? '' : `\n${problem}`),
    programMs,
    changed,
    ...(checkpoint !== undefined && { checkpoint }),
  };
}

function refuse(status: 'failed' | 'denied', output: string): Checked {
  return { ok: false, result: { ...failure(output), status } };
}

function failure(output: string): Unsaved {
  return { status: 'failed', output, programMs: 0, changed: [] };
}

function describeRefused(refused: Saved['refused']): string {
  if (refused.length === 0) return '';
  const lines = refused.slice(0, 20).map(({ path, reason }) => `- ${path}: ${reason}`);
  const rest = refused.length > lines.length ? [`- and ${refused.length - lines.length} more`] : [];
  return `\nThese are not part of the change:\n${[...lines, ...rest].join('\n')}`;
}
