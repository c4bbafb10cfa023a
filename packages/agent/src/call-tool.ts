/** What happens to every tool call, in this order: parse, judge, run, bound, save. Recording is the loop's. */
import type { ChangedFile, FinishedToolPart } from '@fettle/contract';
import { describeIssue } from '@fettle/contract';
import type { PathJudge } from '@fettle/policy';
import { SandboxError } from '@fettle/sandbox';
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

const nothing = { changed: [], programMs: 0 };

export async function callTool(call: Call, surroundings: CallSurroundings): Promise<CallResult> {
  const startedAt = performance.now();
  const result = await attempt(call, surroundings);
  const output = boundOutput(result.output, surroundings.context.limits.outputCharacters);
  return { ...result, output: output || '(no output)', durationMs: performance.now() - startedAt };
}

async function attempt(
  call: Call,
  { tools, context, judgePath, saveChanges }: CallSurroundings,
): Promise<Omit<CallResult, 'durationMs'>> {
  const tool = tools.find(({ name }) => name === call.tool);
  if (!tool)
    return failed(
      `There is no tool ${call.tool.slice(0, 100)}. The tools are: ${tools.map(({ name }) => name).join(', ')}.`,
    );
  if (call.fault !== undefined) return failed(`${tool.name} was not run: ${call.fault}.`);
  const input = tool.input.safeParse(call.input);
  if (!input.success) {
    const { field, message } = describeIssue(input.error);
    return failed(
      `${tool.name} was not run: ${field ? `${field}: ` : ''}${message}. Correct the input and call it again.`,
    );
  }
  if (tool.effect === 'writes') {
    const verdict = judgePath(String(input.data.path));
    if (!verdict.ok)
      return {
        ...failed(`${input.data.path} may not be changed: ${verdict.reason} (rule ${verdict.rule}).`),
        status: 'denied',
      };
  }

  let result: ToolResult;
  try {
    result = await tool.run(input.data, context);
  } catch (error) {
    context.signal.throwIfAborted();
    // A failed write may still have made folders; a program that was lost may have written anything.
    if (error instanceof ToolFailure) return failed(error.message);
    if (error instanceof SandboxError && !error.endsSandbox) return failed(`${error.message}.`);
    throw error;
  }
  if (tool.effect === 'reads') return { ...nothing, status: 'ok', output: result.output };

  const saved = await saveChanges(result.touched);
  return {
    status: result.failed ? 'failed' : 'ok',
    output: result.output + describeRefused(saved.refused) + (saved.problem ? `\n${saved.problem}` : ''),
    programMs: result.programMs ?? 0,
    changed: saved.changed,
    ...(saved.checkpoint !== undefined && { checkpoint: saved.checkpoint }),
  };
}

function failed(output: string): Omit<CallResult, 'durationMs'> {
  return { ...nothing, status: 'failed', output };
}

function describeRefused(refused: Saved['refused']): string {
  if (refused.length === 0) return '';
  const lines = refused.slice(0, 20).map(({ path, reason }) => `- ${path}: ${reason}`);
  const rest = refused.length > lines.length ? [`- and ${refused.length - lines.length} more`] : [];
  return `\nThese changes were not kept, and undone:\n${[...lines, ...rest].join('\n')}`;
}
