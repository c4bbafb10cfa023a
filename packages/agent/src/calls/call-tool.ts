/**
 * Performs the steps of every tool call in this order: parse, policy, hooks, put secrets back, run, save the changed
 * files, mask, bound (after masking, because half a secret is not recognised), hooks. The loop records the start before
 * and the end after.
 */
import type { ChangedFile, Denial } from '@fettle/contract';
import { describeIssue, toDenial } from '@fettle/contract';
import type { PathJudge } from '@fettle/policy';
import { SandboxError } from '@fettle/sandbox';
import { type Tool, type ToolContext, ToolFailure, type ToolResult } from '../tools/tool.ts';
import { boundOutput } from './bound-output.ts';
import type { CallResult } from './call-result.ts';
import { firstObjection, type Hooks, type Objection, type ParsedCall } from './hooks.ts';
import { type CommandPolicy, judgeCall, type Permit } from './judge-call.ts';
import { placeSecrets, type SecretTokens } from './place-secrets.ts';

/** What the worker did with the files that a call changed. */
export interface Saved {
  changed: ChangedFile[];
  checkpoint?: string;
  /** Changes that were undone in the sandbox. `by` is the rule that denied the change, if one did. */
  refused: { path: string; reason: string; by?: Pick<Denial, 'rule' | 'token' | 'reason' | 'instead'> }[];
  /** Why nothing could be saved. */
  problem?: string;
}

export interface CallEnvironment {
  tools: Tool[];
  /** Tools that exist but are not available now, and why. */
  withheld?: { tools: Tool[]; why: string };
  context: Omit<ToolContext, 'mayRead' | 'mask' | 'command'>;
  judgePath: PathJudge;
  commandPolicy: CommandPolicy;
  /** Copies changed files out of the sandbox and writes a checkpoint. Without paths it looks at all files. */
  saveChanges(paths?: string[]): Promise<Saved>;
  /** Replaces everything that must not appear in a record or a prompt: keys of the installation, secrets of the repository. */
  mask(text: string): string;
  secrets: SecretTokens;
  hooks: Hooks;
}

interface Call {
  /** The number of its part. read_output uses it to find an output that was cut. */
  part?: number;
  tool: string;
  input: unknown;
  fault?: string | undefined;
}

/** `whole` is the text that the output summarises. */
type UntimedResult = Omit<CallResult, 'durationMs'> & { whole?: string | undefined };
type Checked = { ok: true; call: ParsedCall; permit: Permit } | { ok: false; result: UntimedResult };
type Stop = Extract<Objection, { kind: 'stop' }>;

export interface CallEnd {
  result: CallResult;
  /** The whole output, if the result holds only its head and tail. */
  whole?: string;
  /** Set when a hook stops the operation. */
  stop?: Stop;
}

export async function callTool(
  call: Call,
  environment: CallEnvironment,
  maxCharacters = environment.context.limits.outputCharacters,
): Promise<CallEnd> {
  const { hooks, mask } = environment;
  const startedAt = performance.now();
  const checked = checkCall(call, environment);
  const before = checked.ok ? runHooks(hooks.afterPolicy, checked.call) : undefined;
  const { whole: summarised, ...unbounded }: UntimedResult = !checked.ok
    ? checked.result
    : before === undefined
      ? await runTool(checked.call, checked.permit, environment)
      : { ...failed(''), ...denied(before) };
  const text = mask(unbounded.output) || '(no output)';
  const isSummary = summarised !== undefined && summarised.length > text.length && call.part !== undefined;
  const hint = isSummary ? `\n(read_output {"part": ${call.part}} returns the whole output)` : '';
  const output = `${boundOutput(text, maxCharacters, call.part)}${hint}`;
  const whole = isSummary ? mask(summarised) : text;
  const denials = unbounded.denials?.map((denial) => maskDenial(denial, mask));
  const durationMs = performance.now() - startedAt;
  const result = { ...unbounded, output, ...(denials && { denials }), durationMs };
  const after = checked.ok ? runHooks(hooks.afterResult, checked.call, result) : undefined;
  const objection = firstObjection([before, after]);
  return {
    result: after === undefined ? result : { ...result, ...denied(after) },
    ...(whole !== output && after === undefined && { whole }),
    ...(objection?.kind === 'stop' && { stop: objection }),
  };
}

function runHooks<Args extends unknown[]>(
  hooks: ((...args: Args) => Objection | undefined)[],
  ...args: Args
): Objection | undefined {
  return firstObjection(hooks.map((hook) => hook(...args)));
}

/** Files that the call changed stay changed: they are judged again before they leave the sandbox. */
function denied(objection: Objection): Pick<UntimedResult, 'status' | 'output'> {
  const why = objection.kind === 'block' ? objection.reason : objection.message;
  return { status: 'denied', output: `This was not allowed: ${why}` };
}

/** The result of a call that did not start because an earlier call stopped the operation. */
export function denyAfterStop(stop: Stop): CallEnd {
  return { result: { ...failed(''), ...denied(stop), durationMs: 0 } };
}

function checkCall(call: Call, environment: CallEnvironment): Checked {
  const { tools, withheld } = environment;
  const tool = tools.find(({ name }) => name === call.tool);
  if (!tool && withheld?.tools.some(({ name }) => name === call.tool))
    return reject('denied', `${call.tool} was not run: ${withheld.why}.`);
  if (!tool) {
    const names = tools.map(({ name }) => name).join(', ');
    return reject('failed', `There is no tool ${call.tool.slice(0, 100)}. The tools are: ${names}.`);
  }
  if (call.fault !== undefined) return reject('failed', `${tool.name} was not run: ${call.fault}.`);
  const parsed = tool.input.safeParse(call.input);
  if (!parsed.success) {
    const { field, message } = describeIssue(parsed.error);
    const what = field ? `${field}: ${message}` : message;
    return reject('failed', `${tool.name} was not run: ${what}. Correct the input and call it again.`);
  }
  const input = parsed.data;
  const parsedCall = { part: call.part, tool, input, paths: tool.paths(input) };
  const verdict = judgeCall(parsedCall, environment);
  if (verdict.ok) return { ok: true, call: parsedCall, permit: verdict.permit };
  return reject('denied', verdict.message, [verdict.denial]);
}

async function runTool(
  call: ParsedCall,
  { command, ...permit }: Permit,
  { context, judgePath, saveChanges, mask, secrets }: CallEnvironment,
): Promise<UntimedResult> {
  const { tool } = call;
  let result: ToolResult;
  try {
    const placed = await placeSecrets(call, secrets);
    if (!placed.ok) return { ...failed(placed.reason), status: 'denied' };
    const mayRead = (path: string) => judgePath(path, 'read').decision !== 'deny';
    result = await tool.run(placed.input, { ...context, mayRead, mask, command });
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof ToolFailure) return { ...failed(error.message), ...permit };
    if (error instanceof SandboxError && !error.endsSandbox)
      return { ...failed(`${error.message}.`), ...permit };
    throw error;
  }
  const { output, programMs = 0, whole } = result;
  if (tool.effect === 'reads') return { status: 'ok', output, programMs, changed: [] };

  const { changed, checkpoint, refused, problem } = await saveChanges(changedPaths(call));
  return {
    status: result.failed ? 'failed' : 'ok',
    output: output + describeRefused(refused) + (problem === undefined ? '' : `\n${problem}`),
    programMs,
    changed,
    whole,
    ...(checkpoint !== undefined && { checkpoint }),
    ...permit,
    ...(refused.length > 0 && { denials: refused.slice(0, maxRefused).map(toFileDenial) }),
  };
}

/** The files to save: those that the tool declared, or all files if it ran commands. */
function changedPaths({ tool, paths }: ParsedCall): string[] | undefined {
  if (tool.effect === 'runs') return undefined;
  return paths.flatMap(({ path, access }) => (access === 'read' ? [] : [path]));
}

function maskDenial(denial: Denial, mask: (text: string) => string): Denial {
  // Masked before `toDenial` cuts the texts, because half a secret is not recognised.
  return toDenial({
    ...denial,
    subject: mask(denial.subject),
    token: mask(denial.token),
    reason: mask(denial.reason),
  });
}

/** A file that the sandbox itself does not hand out was denied by no rule of the policy. */
function toFileDenial({ path, reason, by }: Saved['refused'][number]): Denial {
  return { kind: 'file', subject: path, token: path, rule: 'sandbox', reason, ...by };
}

function reject(status: 'failed' | 'denied', output: string, denials?: Denial[]): Checked {
  return { ok: false, result: { ...failed(output), status, ...(denials && { denials }) } };
}

function failed(output: string): UntimedResult {
  return { status: 'failed', output, programMs: 0, changed: [] };
}

const maxRefused = 20;

function describeRefused(refused: Saved['refused']): string {
  if (refused.length === 0) return '';
  const lines = refused.slice(0, maxRefused).map(({ path, reason }) => `- ${path}: ${reason}`);
  const rest = refused.length > lines.length ? [`- and ${refused.length - lines.length} more`] : [];
  return `\nThese files are not part of the change:\n${[...lines, ...rest].join('\n')}`;
}
