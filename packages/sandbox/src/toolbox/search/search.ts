/** What both search engines are asked for, and what they return. */
import type { TextMatch } from '../../protocol/schemas.ts';

/** Larger files are data, not source; both engines leave them out. */
export const maxFileBytes = 4 * 1024 * 1024;

export interface Search {
  pattern: string;
  fixed: boolean;
  ignoreCase: boolean;
  /** A folder or file, relative to the workspace; the empty string for all of it. */
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
  /** How long a program of its own ran. */
  programMs: number;
}
