// The methods of the toolbox. Beside its parameters a request may have bytes going in (the pack, a file's new
// content) and bytes coming out (a file's content, changes, output).
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
  /** Either a string for `/bin/sh -c`, a program with its arguments, or a line that was understood. */
  command: string | string[] | { plan: CommandPlan };
  cwd: string;
  env: Record<string, string>;
  timeoutMs: number;
  maxOutputBytes: number;
  /** For all its processes together; 0 is no limit but the sandbox's. */
  memoryBytes: number;
  /** Whether all output is sent as it comes, or only what is kept, at the end. */
  live: boolean;
}

export interface Requests {
  receiveTree: {
    /** The bytes are first those of the pack's index, then the pack. */
    params: { commit: string; branch: string; baseIgnores: BaseIgnore[]; indexBytes: number };
    result: ReceiveTreeResult;
  };
  changes: {
    /** `received` is the last handout that arrived whole at the host; the index moves forward with it. */
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
  /** Starts a server for each registry if need be, and says whether their requests are taken. */
  setFetchWindow: { params: { open: boolean; registries: string[] }; result: SetFetchWindowResult };
  /** The next request of a package manager; nothing after `waitMs`. */
  nextFetch: { params: { waitMs: number }; result: NextFetchResult };
  /** The answer to it; the body is the input of this request. */
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

/** What the host may send in a JSON frame. */
export type HostMessage =
  | HostRequest
  | { id: number; end: true }
  | { id: number; cancel: true }
  | { id: number; credit: number };
