import type { CommandPlan, SandboxTool } from '@fettle/contract';
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
  /** The call fails with `timeout` after this time. Each method has a default. */
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
}

export interface ReceiveTreeOptions extends CallOptions {
  /** The index of a git packfile, then the packfile with one commit and its whole tree. */
  pack: { indexBytes: number; chunks: AsyncIterable<Buffer> };
  commit: string;
  branch: string;
  /** The `.gitignore` files of the base commit. They decide which untracked files count as changes. */
  baseIgnores: BaseIgnore[];
}

export interface ChangesOptions extends CallOptions {
  /** Check only these paths. Default: the whole workspace. */
  paths?: string[];
  maxFiles?: number;
  maxBytes?: number;
}

export interface Changes {
  changes: Change[];
  /** The first 200 changes that are not returned, with the reason. */
  refused: Refused[];
  refusedCount: number;
}

export interface ReadFileOptions extends CallOptions {
  maxBytes?: number;
  /** Read at most `maxBytes` from here, instead of refusing a larger file. */
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
  /** For `/bin/sh -c`. Exactly one of `command`, `argv` and `plan` is required. */
  command?: string;
  /** A program with its arguments. The call fails if it cannot be started. */
  argv?: string[];
  /** A parsed command line, which runs without a shell. A program that cannot be started has an exit code as in sh. */
  plan?: CommandPlan;
  cwd?: string;
  env?: Record<string, string>;
  timeoutMs?: number;
  /** How long the toolbox may take to kill the command after its timeout. After that the sandbox counts as lost. */
  graceMs?: number;
  maxOutputBytes?: number;
  memoryBytes?: number;
  /** Receives all output as it arrives. While it is busy and the pipes are full, the command waits. */
  onOutput?: (chunk: Buffer) => void | Promise<void>;
  signal?: AbortSignal | undefined;
}

export interface RunResult {
  exitCode: number | null;
  signal: string | null;
  timedOut: boolean;
  /** Failed because its processes together exceeded `memoryBytes`, or one was killed when the sandbox had no memory left. */
  outOfMemory: boolean;
  cancelled: boolean;
  /** Standard output and error, interleaved. Over the limit: the head, a note, and the tail. */
  output: string;
  omittedBytes: number;
  /** The duration of the whole call, measured by the host. */
  durationMs: number;
  /** From the start of the program to its end. */
  programMs: number;
}

/** The URL of each registry inside the sandbox: `{ npm: 'http://127.0.0.1:5000' }` */
export type RegistryOrigins = Record<string, string>;

export interface OfferRegistriesOptions extends CallOptions {
  registries: string[];
  /** Variables for the environment of every command from now on. */
  environment(origins: RegistryOrigins): Record<string, string> | Promise<Record<string, string>>;
}

export interface FetchAnswer {
  status: number;
  headers: Record<string, string>;
  body?: AsyncIterable<Buffer> | Iterable<Buffer>;
}

export interface FetchWindowOptions {
  /** `fetch` is untrusted: it has been validated only for its format and size. */
  answer(fetch: Fetch, signal: AbortSignal): Promise<FetchAnswer>;
  atOnce?: number;
  maxFetches?: number;
}

export interface FetchWindow {
  /** Aborts open fetches. Later ones are refused inside the sandbox. */
  close(): Promise<void>;
}

/** Tools that several sandboxes share. They can read them but not change them. */
export interface ToolStore {
  /** The folders of the tools, and the architecture of the sandbox as `uname -m` prints it. */
  look(signal?: AbortSignal): Promise<{ folders: string[]; machine: string }>;
  /** Adds the tool in a file that has its digest. */
  add(tool: SandboxTool, archive: string, signal?: AbortSignal): Promise<void>;
}

export interface Sandbox {
  /** The id in the broker's list, where the backend has one. */
  id: string | undefined;
  backend: string;
  /** What the operator has to know. Undefined when the sandbox isolates. */
  warning: string | undefined;
  hello: Hello;
  /** Whether its stream has ended. Asks nothing of the toolbox. */
  hasEnded(): boolean;
  receiveTree(options: ReceiveTreeOptions): Promise<ReceiveTreeResult>;
  changes(options?: ChangesOptions): Promise<Changes>;
  /** Makes the current files the base for future changes. */
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
  /** Usage so far, where the backend can measure it. */
  usage(): Promise<ToolboxUsage | undefined>;
  /** Tells the broker which operation took this sandbox, if it was started in advance. */
  assign(operationId: string): Promise<void>;
  /**
   * Puts these tools, and after them Fettle's own Node, first on the PATH of every command from now on. Undefined if the
   * backend has only the tools of its image.
   */
  useTools?(names: string[]): void;
  /** Where the tools of this sandbox are, if that is not a folder of this machine. */
  toolStore?: ToolStore;
  /** Starts registries on loopback for package managers. They refuse all requests until a window is open. Commands wait for this call. */
  offerRegistries(options: OfferRegistriesOptions): Promise<RegistryOrigins>;
  /** Answers requests of package managers until the window is closed. Only one window can be open. */
  openFetchWindow(options: FetchWindowOptions): Promise<FetchWindow>;
  /** Stops the toolbox and everything that it started, and removes its folders. Can be called more than once. */
  close(): Promise<void>;
}
