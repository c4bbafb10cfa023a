/**
 * What happens to every tool call, in this order: parse, judge by the rules, then by the hooks, put secrets back, run,
 * save what changed, mask, bound (half a secret is not known for one), and the hooks once more. It is on record as
 * started before, and as finished after: that is the loop's.
 */
import type { ChangedFile, Denial, FinishedToolPart } from '@fettle/contract';
import { describeIssue, toDenial } from '@fettle/contract';
import type { PathJudge } from '@fettle/policy';
import { SandboxError } from '@fettle/sandbox';
import { type Tool, type ToolContext, ToolFailure, type ToolResult } from '../tools/tool.ts';
import { boundOutput } from './bound-output.ts';
import { firstObjection, type Hooks, type JudgedCall, type Objection } from './hooks.ts';
import { type CommandPolicy, judgeCall, type Permit } from './judge-call.ts';
import { placeSecrets, type SecretTokens } from './place-secrets.ts';

/** What the worker did with the files that a call changed. */
export interface Saved {
  changed: ChangedFile[];
  checkpoint?: string;
  /** Changes that were undone in the sandbox, each with its reason in words, and by which rule where one did. */
  refused: { path: string; reason: string; by?: Pick<Denial, 'rule' | 'token' | 'reason' | 'instead'> }[];
  /** Why nothing could be saved. */
  problem?: string;
}

export interface CallSurroundings {
  tools: Tool[];
  /** Tools that are not to be had now, and why. */
  withheld?: { tools: Tool[]; why: string };
  context: Omit<ToolContext, 'mayRead' | 'mask' | 'command'>;
  judgePath: PathJudge;
  commandPolicy: CommandPolicy;
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
  | 'status'
  | 'output'
  | 'durationMs'
  | 'programMs'
  | 'changed'
  | 'checkpoint'
  | 'rules'
  | 'denials'
  | 'remarks'
>;

interface Call {
  /** The part's number, by which an output that is too long can be read on. */
  part?: number;
  tool: string;
  input: unknown;
  fault?: string | undefined;
}

type Unsaved = Omit<CallResult, 'durationMs'>;
type Checked = { ok: true; call: JudgedCall; permit: Permit } | { ok: false; result: Unsaved };
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
      ? await runTool(checked.call, checked.permit, surroundings)
      : { ...failure(''), ...denied(before) };
  const whole = surroundings.mask(unsaved.output) || '(no output)';
  const output = boundOutput(whole, maxCharacters, call.part);
  const denials = unsaved.denials?.map((denial) => maskDenial(denial, surroundings.mask));
  const durationMs = performance.now() - startedAt;
  const result = { ...unsaved, output, ...(denials && { denials }), durationMs };
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

function checkCall(call: Call, surroundings: CallSurroundings): Checked {
  const { tools, withheld } = surroundings;
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
  const verdict = judgeCall(tool, parsed.data, surroundings);
  if (verdict.ok)
    return { ok: true, call: { part: call.part, tool, input: parsed.data }, permit: verdict.permit };
  return refuse('denied', verdict.told, [verdict.denial]);
}

async function runTool(
  call: JudgedCall,
  { command, ...permit }: Permit,
  { context, judgePath, saveChanges, mask, secrets }: CallSurroundings,
): Promise<Unsaved> {
  const { tool } = call;
  let result: ToolResult;
  try {
    const placed = await placeSecrets(call, secrets);
    if (!placed.ok) return { ...failure(placed.reason), status: 'denied' };
    const mayRead = (path: string) => judgePath(path, 'read').decision !== 'deny';
    result = await tool.run(placed.input, { ...context, mayRead, mask, command });
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof ToolFailure) return { ...failure(error.message), ...permit };
    if (error instanceof SandboxError && !error.endsSandbox)
      return { ...failure(`${error.message}.`), ...permit };
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
    ...permit,
    ...(refused.length > 0 && { denials: refused.slice(0, maxRefused).map(toFileDenial) }),
  };
}

function maskDenial(denial: Denial, mask: (text: string) => string): Denial {
  // Half of a secret would not be known for one any more.
  return toDenial({
    ...denial,
    subject: mask(denial.subject),
    token: mask(denial.token),
    reason: mask(denial.reason),
  });
}

/** What the sandbox itself does not hand out has no rule of its own. */
function toFileDenial({ path, reason, by }: Saved['refused'][number]): Denial {
  return { kind: 'file', subject: path, token: path, rule: 'sandbox', reason, ...by };
}

function refuse(status: 'failed' | 'denied', output: string, denials?: Denial[]): Checked {
  return { ok: false, result: { ...failure(output), status, ...(denials && { denials }) } };
}

function failure(output: string): Unsaved {
  return { status: 'failed', output, programMs: 0, changed: [] };
}

const maxRefused = 20;

function describeRefused(refused: Saved['refused']): string {
  if (refused.length === 0) return '';
  const lines = refused.slice(0, maxRefused).map(({ path, reason }) => `- ${path}: ${reason}`);
  const rest = refused.length > lines.length ? [`- and ${refused.length - lines.length} more`] : [];
  return `\nThese are not part of the change:\n${[...lines, ...rest].join('\n')}`;
}
