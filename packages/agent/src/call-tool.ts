/** What happens to every tool call, in this order: parse, judge, run, bound, save. Recording is the loop's. */
import type { ChangedFile, FinishedToolPart } from '@fettle/contract';
import { describeIssue } from '@fettle/contract';
import type { PathJudge } from '@fettle/policy';
import { SandboxError } from '@fettle/sandbox';
import type { z } from 'zod';
import { boundOutput } from './bound-output.ts';
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
  context: ToolContext;
  judgePath: PathJudge;
  /** Takes changed files out of the sandbox and makes a checkpoint; without paths it looks at all files. */
  saveChanges(paths?: string[]): Promise<Saved>;
}

export type CallResult = Pick<
  FinishedToolPart,
  'status' | 'output' | 'durationMs' | 'programMs' | 'changed' | 'checkpoint'
>;

interface Call {
  tool: string;
  input: unknown;
  fault?: string | undefined;
}

type Unsaved = Omit<CallResult, 'durationMs'>;
type Checked = { ok: true; tool: Tool; input: z.infer<Tool['input']> } | { ok: false; result: Unsaved };

export async function callTool(call: Call, surroundings: CallSurroundings): Promise<CallResult> {
  const startedAt = performance.now();
  const checked = checkCall(call, surroundings);
  const result = checked.ok ? await runTool(checked.tool, checked.input, surroundings) : checked.result;
  const output = boundOutput(result.output, surroundings.context.limits.outputCharacters);
  return { ...result, output: output || '(no output)', durationMs: performance.now() - startedAt };
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
  const verdict = tool.effect === 'writes' ? judgePath(String(parsed.data.path)) : { ok: true as const };
  if (!verdict.ok) {
    const { reason, rule } = verdict;
    return refuse('denied', `${parsed.data.path} may not be changed: ${reason} (rule ${rule}).`);
  }
  return { ok: true, tool, input: parsed.data };
}

async function runTool(
  tool: Tool,
  input: z.infer<Tool['input']>,
  { context, saveChanges }: CallSurroundings,
): Promise<Unsaved> {
  let result: ToolResult;
  try {
    result = await tool.run(input, context);
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
