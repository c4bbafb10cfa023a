import { SandboxError } from '../protocol/sandbox-error.ts';
import {
  findFilesResultSchema,
  listDirectoryResultSchema,
  nothingSchema,
  readFileResultSchema,
  searchTextResultSchema,
  statFileResultSchema,
} from '../protocol/schemas.ts';
import type { Connection } from './connection.ts';
import { defaultLimits } from './limits.ts';
import type { Sandbox } from './sandbox.ts';

type FileRequests = Pick<
  Sandbox,
  'readFile' | 'writeFile' | 'deleteFile' | 'statFile' | 'listDirectory' | 'findFiles' | 'searchText'
>;

export function createFileRequests({ request }: Connection): FileRequests {
  const fileTimeoutMs = defaultLimits.fileTimeoutMs;
  return {
    async readFile(path, { maxBytes = defaultLimits.readBytes, offset, timeoutMs, signal } = {}) {
      const pieces: Buffer[] = [];
      let taken = 0;
      const { size, executable } = await request('readFile', {
        params: { path, maxBytes, ...(offset === undefined ? {} : { offset }) },
        result: readFileResultSchema,
        onBytes(bytes) {
          taken += bytes.length;
          if (taken > maxBytes)
            throw new SandboxError('malformed', 'the toolbox sent more bytes than requested');
          pieces.push(bytes);
        },
        timeoutMs: timeoutMs ?? fileTimeoutMs,
        signal,
      });
      return { bytes: Buffer.concat(pieces), size, executable };
    },
    async writeFile(path, bytes, { executable, timeoutMs, signal } = {}) {
      if (bytes.length > defaultLimits.writeBytes) {
        throw new SandboxError(
          'too_large',
          `${bytes.length} bytes exceed the limit of ${defaultLimits.writeBytes} for one write`,
        );
      }
      await request('writeFile', {
        params: { path, ...(executable === undefined ? {} : { executable }) },
        result: nothingSchema,
        input: [bytes],
        timeoutMs: timeoutMs ?? fileTimeoutMs,
        signal,
      });
    },
    async deleteFile(path, { timeoutMs = fileTimeoutMs, signal } = {}) {
      await request('deleteFile', { params: { path }, result: nothingSchema, timeoutMs, signal });
    },
    statFile(path, { timeoutMs = fileTimeoutMs, signal } = {}) {
      return request('statFile', { params: { path }, result: statFileResultSchema, timeoutMs, signal });
    },
    listDirectory(path, { maxEntries = defaultLimits.listEntries, recursive = 1, timeoutMs, signal } = {}) {
      return request('listDirectory', {
        params: { path, maxEntries: Math.min(maxEntries, defaultLimits.longestList), depth: recursive },
        result: listDirectoryResultSchema,
        timeoutMs: timeoutMs ?? fileTimeoutMs,
        signal,
      });
    },
    findFiles(glob, { maxResults = defaultLimits.findResults, timeoutMs = fileTimeoutMs, signal } = {}) {
      return request('findFiles', {
        params: { glob, maxResults: Math.min(maxResults, defaultLimits.longestList) },
        result: findFilesResultSchema,
        timeoutMs,
        signal,
      });
    },
    searchText({ timeoutMs = defaultLimits.searchTimeoutMs, signal, maxResults, maxLineLength, ...search }) {
      return request('searchText', {
        params: {
          ...search,
          maxResults: Math.min(maxResults ?? defaultLimits.searchResults, defaultLimits.longestList),
          maxLineLength: Math.min(maxLineLength ?? defaultLimits.searchLineLength, defaultLimits.longestLine),
          timeoutMs,
        },
        result: searchTextResultSchema,
        // Longer, because the toolbox times out first and has the better message.
        timeoutMs: timeoutMs + 5000,
        signal,
      });
    },
  };
}
