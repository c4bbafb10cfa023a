import type { CheckName } from '@fettle/contract';
import type { PathOperation } from '@fettle/policy';
import type { RunOptions, RunResult, Sandbox } from '@fettle/sandbox';
import { z } from 'zod';
import type { KeptOutputs } from '../calls/kept-outputs.ts';

/** What the model is told when a call did not work. Anything else that is thrown is a bug or a lost sandbox. */
export class ToolFailure extends Error {
  override name = 'ToolFailure';
}

export interface ToolLimits {
  readBytes: number;
  writeBytes: number;
  commandSeconds: number;
  commandOutputBytes: number;
  /** For a command of the model's own; the repository's checks may use what the sandbox has. */
  commandMemoryBytes: number;
  /** What one result may add to the conversation. */
  outputCharacters: number;
  /** What all results of one answer may add to it. */
  answerCharacters: number;
}

export const defaultToolLimits: ToolLimits = {
  readBytes: 1_000_000,
  writeBytes: 500_000,
  commandSeconds: 300,
  commandOutputBytes: 10_000_000,
  commandMemoryBytes: 512 * 1024 ** 2,
  outputCharacters: 60_000,
  answerCharacters: 240_000,
};

/** The repository as the worker's own bare copy knows it; the sandbox's `.git` is never trusted. */
export interface History {
  baseFile(path: string): Promise<{ bytes: Buffer; executable: boolean } | undefined>;
  changedFiles(): Promise<{ path: string; status: string }[]>;
  diff(): Promise<string>;
  log(options: {
    max: number;
    path: string | undefined;
  }): Promise<{ oid: string; date: string; author: string; subject: string }[]>;
}

/** The repository’s own commands, by what they check. */
export type Commands = { [Name in CheckName]?: string | undefined };

export interface InstallRequest {
  folder: string;
  packages: string[];
  dev: boolean;
  update: boolean;
}

/** The worker holds the registries; a tool only says what it wants. */
export type Install = (
  request: InstallRequest,
  limits: { timeoutMs: number; maxOutputBytes: number; signal: AbortSignal },
) => Promise<
  { ok: true; runs: { command: string; result: RunResult }[]; note: string } | { ok: false; reason: string }
>;

/** How a command line of the model's is run: what was understood of it, or by a shell that the sandbox contains. */
export type CommandRun =
  | { by: 'plan'; plan: NonNullable<RunOptions['plan']> }
  | { by: 'shell'; line: string };

export interface ToolContext {
  sandbox: Sandbox;
  history: History;
  commands: Commands;
  install: Install;
  limits: ToolLimits;
  signal: AbortSignal;
  outputs: KeptOutputs;
  /** For what a tool finds on its own; a path of its input is judged before it runs. */
  mayRead(path: string): boolean;
  /** For a tool that takes a command line, as the rules allow it; nothing else of the input may be run. */
  command: CommandRun | undefined;
  /** Puts tokens in the place of secrets: for a text that the tool is going to cut or to number. */
  mask(text: string): string;
  /** Waits for a place among the file requests of this minute. */
  pace(): Promise<void>;
}

export interface ToolResult {
  output: string;
  /** The files that the call may have changed, where it knows; a tool that runs programs does not. */
  touched?: string[];
  /** How long a program of the repository ran. */
  programMs?: number;
  /** A command that ended badly is a result, not a failure of the tool; the model should still see it as an error. */
  failed?: boolean;
}

/** `reads` changes nothing, `writes` names what it touched, `runs` may have changed anything. */
export type Effect = 'reads' | 'writes' | 'runs';

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string;
  description: string;
  /** The input as JSON Schema, for the model. Made once: it would cost milliseconds on every turn. */
  inputSchema: Record<string, unknown>;
  effect: Effect;
  /** What becomes of `path`, where the effect does not say it. */
  operation?: PathOperation;
  /** Its input has a `command`, which is judged before it runs. */
  takesCommandLine?: boolean;
  /** What becomes of tokens in the input that stand for secrets; a call that says nothing is refused with one. */
  tokens?: 'put back' | 'stay';
  input: Input;
  run(input: z.infer<Input>, context: ToolContext): Promise<ToolResult>;
}

export function defineTool<Input extends z.ZodObject>(tool: Omit<Tool<Input>, 'inputSchema'>): Tool {
  return { ...tool, inputSchema: z.toJSONSchema(tool.input, { io: 'input' }) } as unknown as Tool;
}
