/**
 * Schemas of all messages from the toolbox, with limits for every list and text. The toolbox imports only types from this
 * file, because zod does not exist inside the sandbox.
 */
import { z } from 'zod';
import { protocolVersion } from './requests.ts';
import { refusalCodes } from './sandbox-error.ts';

const count = z.number().int().nonnegative();
const path = z.string().max(4096);
const id = z.number().int().positive().max(0xffffffff);

export const helloSchema = z.object({
  protocol: z.literal(protocolVersion),
  node: z.string().max(100),
  platform: z.string().max(100),
  tools: z.object({ git: z.boolean(), rg: z.boolean() }),
});
export type Hello = z.infer<typeof helloSchema>;

export const incomingSchema = z.union([
  z.object({ id, ok: z.literal(true), result: z.unknown() }),
  z.object({
    id,
    ok: z.literal(false),
    error: z.object({ code: z.enum(refusalCodes), message: z.string().max(8000) }),
  }),
  z.object({ id, credit: z.number().int().positive() }),
]);

export const nothingSchema = z.object({});

export const receiveTreeResultSchema = z.object({ files: count });
export type ReceiveTreeResult = z.infer<typeof receiveTreeResultSchema>;

export const adoptChangesResultSchema = z.object({ files: count });
export type AdoptChangesResult = z.infer<typeof adoptChangesResultSchema>;

export const refusedSchema = z.object({ path, reason: z.string().max(500) });
export type Refused = z.infer<typeof refusedSchema>;

export const changesResultSchema = z.object({
  handout: count,
  refused: z.array(refusedSchema).max(200),
  refusedCount: count,
});
export type ChangesResult = z.infer<typeof changesResultSchema>;

export const changeHeaderSchema = z.object({
  path,
  kind: z.enum(['file', 'symlink', 'deleted']),
  executable: z.boolean(),
});
export type ChangeHeader = z.infer<typeof changeHeaderSchema>;

export const readFileResultSchema = z.object({ size: count, executable: z.boolean() });
export type ReadFileResult = z.infer<typeof readFileResultSchema>;

const kindSchema = z.enum(['file', 'directory', 'symlink', 'other']);
export type FileKind = z.infer<typeof kindSchema>;

export const statFileResultSchema = z.object({ kind: kindSchema, size: count, executable: z.boolean() });
export type StatFileResult = z.infer<typeof statFileResultSchema>;

const directoryEntrySchema = z.object({ path, kind: kindSchema });
export type DirectoryEntry = z.infer<typeof directoryEntrySchema>;

export const listDirectoryResultSchema = z.object({
  entries: z.array(directoryEntrySchema).max(20_000),
  total: count,
  truncated: z.boolean(),
});
export type ListDirectoryResult = z.infer<typeof listDirectoryResultSchema>;

export const findFilesResultSchema = z.object({
  paths: z.array(path).max(20_000),
  total: count,
  truncated: z.boolean(),
});
export type FindFilesResult = z.infer<typeof findFilesResultSchema>;

const textMatchSchema = z.object({ path, line: count, text: z.string().max(20_000) });
export type TextMatch = z.infer<typeof textMatchSchema>;

export const searchTextResultSchema = z.object({
  matches: z.array(textMatchSchema).max(20_000),
  truncated: z.boolean(),
  engine: z.enum(['rg', 'node']),
  programMs: z.number().nonnegative(),
});
export type SearchTextResult = z.infer<typeof searchTextResultSchema>;

export const runResultSchema = z.object({
  exitCode: z.number().int().nullable(),
  signal: z.string().max(20).nullable(),
  timedOut: z.boolean(),
  outOfMemory: z.boolean(),
  cancelled: z.boolean(),
  omittedBytes: count,
  programMs: z.number().nonnegative(),
});
export type ToolboxRunResult = z.infer<typeof runResultSchema>;

export const setFetchWindowResultSchema = z.object({
  /** One for each registry, in the requested order. */
  ports: z.array(z.number().int().min(1).max(65_535)).max(20),
});
export type SetFetchWindowResult = z.infer<typeof setFetchWindowResultSchema>;

/** A request of a package manager. The toolbox refuses everything else, and so does the host. */
const fetchSchema = z.strictObject({
  fetchId: id,
  registry: z.string().regex(/^[a-z]{1,20}$/),
  method: z.enum(['GET', 'HEAD']),
  path: z.string().max(1024).startsWith('/'),
  accept: z.string().max(500),
});
export type Fetch = z.infer<typeof fetchSchema>;

export const nextFetchResultSchema = z.object({ fetch: fetchSchema.nullable() });
export type NextFetchResult = z.infer<typeof nextFetchResultSchema>;
