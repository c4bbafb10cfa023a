import type { CommandPlan } from '@fettle/contract';
import type { ToolboxUsage } from '../backends/backend.ts';
import type { BaseIgnore, SearchTextParams } from '../protocol/requests.ts';
import type {
  Fetch,
  FindFilesResult,
  Hello,
  ListDirectoryResult,
  ReceiveTreeResult,
  Refused,
  SearchTextResult,
  StatFileResult,
} from '../protocol/schemas.ts';
import type { Change } from './receive-changes.ts';

export interface CallOptions {
  /** After this the call fails with `timeout`; each method has a default. */
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
}

export interface ReceiveTreeOptions extends CallOptions {
  /** A git packfile with one commit and its whole tree, behind its index. */
  pack: { indexBytes: number; chunks: AsyncIterable<Buffer> };
  commit: string;
  branch: string;
  /** The `.gitignore` files of the base commit, which decide what untracked files count as changes. */
  baseIgnores: BaseIgnore[];
}

export interface ChangesOptions extends CallOptions {
  /** Look at these only; without them the whole workspace is walked. */
  paths?: string[];
  maxFiles?: number;
  maxBytes?: number;
}

export interface Changes {
  changes: Change[];
  /** The first 200 of what was not handed out. */
  refused: Refused[];
  refusedCount: number;
}

export interface ReadFileOptions extends CallOptions {
  maxBytes?: number;
  /** Reads a part from here on, of at most `maxBytes`, instead of refusing a file that is larger. */
  offset?: number;
}

export interface ReadFile {
  bytes: Buffer;
  size: number;
  executable: boolean;
}

export interface SearchTextOptions
  extends CallOptions,
    Omit<SearchTextParams, 'maxResults' | 'maxLineLength' | 'timeoutMs'> {
  maxResults?: number;
  maxLineLength?: number;
}

export interface RunOptions {
  /** For `/bin/sh -c`. Give either this, or `argv`, or `plan`. */
  command?: string;
  /** A program with its arguments; one that cannot be started is a refusal. */
  argv?: string[];
  /** A command line that was understood, which no shell gets to see; a program that cannot be started ends as in sh. */
  plan?: CommandPlan;
  cwd?: string;
  env?: Record<string, string>;
  timeoutMs?: number;
  /** How long after that the toolbox may take to have ended it; one that takes longer is taken for lost. */
  graceMs?: number;
  maxOutputBytes?: number;
  memoryBytes?: number;
  /** Gets all output as it comes; while it has not returned, the command waits once the pipes are full. */
  onOutput?: (chunk: Buffer) => void | Promise<void>;
  signal?: AbortSignal | undefined;
}

export interface RunResult {
  exitCode: number | null;
  signal: string | null;
  timedOut: boolean;
  /** Ended because its processes together used more than it may. */
  outOfMemory: boolean;
  cancelled: boolean;
  /** Standard output and error as they came; over the limit, head and tail with a note between them. */
  output: string;
  omittedBytes: number;
  /** The whole call, as the host saw it. */
  durationMs: number;
  /** From the start of the program to its end. */
  programMs: number;
}

/** Where each registry is found inside: `{ npm: 'http://127.0.0.1:5000' }` */
export type RegistryOrigins = Record<string, string>;

export interface OfferRegistriesOptions extends CallOptions {
  registries: string[];
  /** What every command of this sandbox has in its environment from now on. */
  environment(origins: RegistryOrigins): Record<string, string> | Promise<Record<string, string>>;
}

export interface FetchAnswer {
  status: number;
  headers: Record<string, string>;
  body?: AsyncIterable<Buffer> | Iterable<Buffer>;
}

export interface FetchWindowOptions {
  /** `fetch` is what the toolbox says: well formed and bounded, and nothing more. */
  answer(fetch: Fetch, signal: AbortSignal): Promise<FetchAnswer>;
  atOnce?: number;
  maxFetches?: number;
}

export interface FetchWindow {
  /** What is under way is given up; what comes later is refused in the sandbox. */
  close(): Promise<void>;
}

export interface Sandbox {
  /** By which an operator finds it, where its backend has a list. */
  id: string | undefined;
  backend: string;
  /** What the operator has to know about this sandbox; undefined when it isolates. */
  warning: string | undefined;
  hello: Hello;
  receiveTree(options: ReceiveTreeOptions): Promise<ReceiveTreeResult>;
  changes(options?: ChangesOptions): Promise<Changes>;
  /** Takes the files as they are now for the state from which changes count. */
  adoptChanges(options?: CallOptions): Promise<void>;
  readFile(path: string, options?: ReadFileOptions): Promise<ReadFile>;
  writeFile(path: string, bytes: Buffer, options?: CallOptions & { executable?: boolean }): Promise<void>;
  deleteFile(path: string, options?: CallOptions): Promise<void>;
  statFile(path: string, options?: CallOptions): Promise<StatFileResult>;
  listDirectory(
    path: string,
    options?: CallOptions & { maxEntries?: number; recursive?: number },
  ): Promise<ListDirectoryResult>;
  findFiles(glob: string, options?: CallOptions & { maxResults?: number }): Promise<FindFilesResult>;
  searchText(options: SearchTextOptions): Promise<SearchTextResult>;
  run(options: RunOptions): Promise<RunResult>;
  /** What it has used so far, where its backend can tell. */
  usage(): Promise<ToolboxUsage | undefined>;
  /** Says for which operation one was taken that was started ahead of time. */
  assign(operationId: string): Promise<void>;
  /** Lets package managers find registries on loopback, which refuse all until a window is open. Commands wait for it. */
  offerRegistries(options: OfferRegistriesOptions): Promise<RegistryOrigins>;
  /** Answers their requests until it is closed; one window at a time. */
  openFetchWindow(options: FetchWindowOptions): Promise<FetchWindow>;
  /** Ends the toolbox and everything that it started, and removes its folders. Can be called again. */
  close(): Promise<void>;
}
