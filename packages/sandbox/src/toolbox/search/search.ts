/** The input and the result of both search engines. */
import type { TextMatch } from '../../protocol/schemas.ts';

/** Both engines skip larger files, which are data and not source code. */
export const maxFileBytes = 4 * 1024 * 1024;

export interface Search {
  pattern: string;
  fixed: boolean;
  ignoreCase: boolean;
  /** A folder or file, relative to the workspace; empty for the whole workspace. */
  top: string;
  topKind: 'file' | 'directory';
  accepts: (path: string) => boolean;
  maxResults: number;
  maxLineLength: number;
  signal: AbortSignal;
}

export interface EngineResult {
  matches: TextMatch[];
  truncated: boolean;
  /** The run time of ripgrep; 0 for the other engine. */
  programMs: number;
}
