import type { CheckName } from '@fettle/contract';
import type { PathOperation } from '@fettle/policy';
import type { RunOptions, RunResult, Sandbox } from '@fettle/sandbox';
import { z } from 'zod';
import type { KeptOutputs } from '../calls/kept-outputs.ts';

/** A failed call. Its message is the result that the model sees; any other error is a bug or a lost sandbox. */
export class ToolFailure extends Error {
  override name = 'ToolFailure';
}

export interface ToolLimits {
  readBytes: number;
  writeBytes: number;
  commandSeconds: number;
  commandOutputBytes: number;
  /** For command lines of the model. 0: all memory of the sandbox, as for the repository's checks. */
  commandMemoryBytes: number;
  /** The longest result of one call. */
  outputCharacters: number;
  /** The longest total of all results of one answer. */
  answerCharacters: number;
}

export const defaultToolLimits: ToolLimits = {
  readBytes: 1_000_000,
  writeBytes: 500_000,
  commandSeconds: 300,
  commandOutputBytes: 10_000_000,
  commandMemoryBytes: 0,
  outputCharacters: 60_000,
  answerCharacters: 240_000,
};

/** The history in the worker's own bare clone. The `.git` folder of the sandbox is never trusted. */
export interface History {
  baseFile(path: string): Promise<{ bytes: Buffer; executable: boolean } | undefined>;
  changedFiles(): Promise<{ path: string; status: string }[]>;
  diff(): Promise<string>;
  log(options: {
    max: number;
    path: string | undefined;
  }): Promise<{ oid: string; date: string; author: string; subject: string }[]>;
}

/** The repository's own command for each check. */
export type Commands = { [Name in CheckName]?: string | undefined };

export interface InstallRequest {
  folder: string;
  packages: string[];
  dev: boolean;
  update: boolean;
}

/** Installs packages through the worker, which owns the access to the registries. */
export type Install = (
  request: InstallRequest,
  limits: { timeoutMs: number; maxOutputBytes: number; signal: AbortSignal },
) => Promise<
  { ok: true; runs: { command: string; result: RunResult }[]; note: string } | { ok: false; reason: string }
>;

/** How a command line of the model runs: as the parsed plan (strict mode), or by a shell in the sandbox (contained mode). */
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
  /** For paths that a tool discovers while it runs. Declared paths are judged before. */
  mayRead(path: string): boolean;
  /** The judged command line of a tool that takes one. A tool must run this and nothing from its input. */
  command: CommandRun | undefined;
  /** Replaces secrets with tokens. A tool calls it before it cuts a text or adds line numbers. */
  mask(text: string): string;
  /** Called after a whole check has run. */
  onCheck?: ((command: string, result: RunResult) => void) | undefined;
  /** Waits until the rate limit for file requests allows another one. */
  rateLimit(): Promise<void>;
}

export interface ToolResult {
  output: string;
  /** The whole text, if `output` is a summary of it. It is kept for read_output. */
  whole?: string;
  /** How long a program of the repository ran. */
  programMs?: number;
  /** A command that exits with an error is a result, not a failure of the tool. The model still sees it as an error. */
  failed?: boolean;
}

/** `reads` changes nothing, `writes` changes only the paths that it declares, `runs` runs commands that may change any file. */
export type Effect = 'reads' | 'writes' | 'runs';

/** A path that a call touches, and how. */
export interface TouchedPath {
  path: string;
  access: PathOperation;
}

/**
 * Every tool declares which paths a call touches: the policy judges exactly these, and after a call that writes only
 * these are saved. There is no default, so a tool that forgets the declaration does not compile. `none` states that no
 * input names a path. A tool that runs commands may leave it out: its command line and its changes are judged instead.
 */
type PathDeclaration<Paths> =
  | { effect: 'reads'; paths: Paths | 'none' }
  | { effect: 'writes'; paths: Paths }
  | { effect: 'runs'; paths?: Paths; takesCommandLine?: boolean };

interface ToolParts<Input extends z.ZodObject> {
  name: string;
  description: string;
  /** What happens to secret tokens in the input. Without a value, a call whose input holds a token is denied. */
  tokens?: 'put back' | 'stay';
  input: Input;
  run(input: z.infer<Input>, context: ToolContext): Promise<ToolResult>;
}

export type ToolDefinition<Input extends z.ZodObject> = ToolParts<Input> &
  PathDeclaration<(input: z.infer<Input>) => TouchedPath[]>;

export interface Tool extends ToolParts<z.ZodObject> {
  /** The input as JSON Schema, for the model. Computed once because it takes milliseconds. */
  inputSchema: Record<string, unknown>;
  effect: Effect;
  paths(input: Record<string, unknown>): TouchedPath[];
  /** Whether the input has a `command`, which the command policy judges before it runs. */
  takesCommandLine: boolean;
}

export function defineTool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): Tool {
  const { paths = 'none' } = definition;
  return {
    takesCommandLine: false,
    ...definition,
    paths: paths === 'none' ? () => [] : paths,
    inputSchema: z.toJSONSchema(definition.input, { io: 'input' }),
  } as Tool;
}
