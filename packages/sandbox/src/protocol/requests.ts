/**
 * The methods of the toolbox. Besides its parameters, a request can have input bytes (a pack, the new content of a file) and
 * output bytes (the content of a file, changes, a command's output).
 */
import type { CommandPlan } from '@fettle/contract';
import type {
  AdoptChangesResult,
  ChangesResult,
  FindFilesResult,
  ListDirectoryResult,
  NextFetchResult,
  ReadFileResult,
  ReceiveTreeResult,
  SearchTextResult,
  SetFetchWindowResult,
  StatFileResult,
  ToolboxRunResult,
} from './schemas.ts';

export const protocolVersion = 3;

/** A `.gitignore` of the base commit: its path in the tree and its text. */
export interface BaseIgnore {
  path: string;
  content: string;
}

export interface SearchTextParams {
  pattern: string;
  fixed?: boolean;
  ignoreCase?: boolean;
  path?: string;
  glob?: string;
  maxResults: number;
  maxLineLength: number;
  timeoutMs: number;
}

export interface RunParams {
  /** A string for `/bin/sh -c`, a program with its arguments, or a parsed command line. */
  command: string | string[] | { plan: CommandPlan };
  cwd: string;
  env: Record<string, string>;
  timeoutMs: number;
  maxOutputBytes: number;
  /** For all its processes together. 0 means only the sandbox's own limit. */
  memoryBytes: number;
  /** Whether output is sent as it arrives, or only its head and tail at the end. */
  live: boolean;
}

export interface Requests {
  receiveTree: {
    /** Input: the pack's index, then the pack. */
    params: { commit: string; branch: string; baseIgnores: BaseIgnore[]; indexBytes: number };
    result: ReceiveTreeResult;
  };
  changes: {
    /** `received` is the last handout that the host received completely. The index then advances to it. */
    params: { paths?: string[]; maxFiles: number; maxBytes: number; received: number };
    result: ChangesResult;
  };
  adoptChanges: { params: { received: number }; result: AdoptChangesResult };
  readFile: { params: { path: string; maxBytes: number; offset?: number }; result: ReadFileResult };
  writeFile: { params: { path: string; executable?: boolean }; result: object };
  deleteFile: { params: { path: string }; result: object };
  statFile: { params: { path: string }; result: StatFileResult };
  listDirectory: {
    params: { path: string; maxEntries: number; depth: number };
    result: ListDirectoryResult;
  };
  findFiles: { params: { glob: string; maxResults: number }; result: FindFilesResult };
  searchText: { params: SearchTextParams; result: SearchTextResult };
  run: { params: RunParams; result: ToolboxRunResult };
  /** Starts a server for each registry on the first call. Opens or closes the window for their requests. */
  setFetchWindow: { params: { open: boolean; registries: string[] }; result: SetFetchWindowResult };
  /** The next request of a package manager, or null after `waitMs`. */
  nextFetch: { params: { waitMs: number }; result: NextFetchResult };
  /** The response to a fetch. Input: the body. */
  answerFetch: {
    params: { fetchId: number; status: number; headers: Record<string, string> };
    result: object;
  };
}

export type Method = keyof Requests;

export interface HostRequest {
  id: number;
  method: string;
  params: unknown;
}

/** All JSON messages of the host. */
export type HostMessage =
  | HostRequest
  | { id: number; end: true }
  | { id: number; cancel: true }
  | { id: number; credit: number };
