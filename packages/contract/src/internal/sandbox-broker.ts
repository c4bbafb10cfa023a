/**
 * The requests and answers of the sandbox broker. All requests carry the broker's key as a bearer token. Only one has a
 * body, the archive of a tool:
 *   POST   /v1/sandboxes?…           with `Upgrade: fettle-toolbox`: starts a sandbox; the connection becomes the toolbox's stream
 *   GET    /v1/sandboxes             lists sandboxes
 *   GET    /v1/sandboxes/<id>/usage  returns the usage so far
 *   PUT    /v1/sandboxes/<id>/operation/<name>  assigns a spare sandbox to an operation; once
 *   PUT    /v1/sandboxes/<id>/tools/<tool>/<version>/<digest>  adds a tool to the volume that the sandbox reads tools from
 *   DELETE /v1/sandboxes/<id>        stops a sandbox and returns how it ended, also if it had ended by itself
 */
import { z } from 'zod';

export const toolboxUpgrade = 'fettle-toolbox';
/** The response header with the id of the started sandbox. */
export const sandboxIdHeader = 'fettle-sandbox-id';

const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/);

/** The query of a start. It contains no settings of the container. */
export const startSandboxSchema = z.strictObject({
  /** One of the images that the broker allows. The first one by default. */
  image: z.string().min(1).max(300).optional(),
  /** The operation. A spare sandbox gets one later. */
  operation: name.optional(),
  /** The name of the client, for lists. */
  owner: name.optional(),
  warmUpAfterMs: z.coerce.number().int().min(0).max(600_000).optional(),
});
export type StartSandbox = z.infer<typeof startSandboxSchema>;

/** The tools that a sandbox can have in the versions that a repository names. */
export const toolNames = ['node', 'npm', 'pnpm', 'yarn-classic', 'yarn', 'bun', 'deno'] as const;
export type ToolName = (typeof toolNames)[number];

const part = '(?:0|[1-9][0-9]{0,8})';
const exactVersion = new RegExp(`^${part}\\.${part}\\.${part}(?:-[0-9A-Za-z]+(?:[.-][0-9A-Za-z]+)*)?$`);

/** What a caller says of a tool. It contains no path and no program. */
export const sandboxToolSchema = z.strictObject({
  tool: z.enum(toolNames),
  version: z.string().max(60).regex(exactVersion),
  /** SHA-512 of its archive in hexadecimal, as the registry lists it. */
  digest: z.string().regex(/^[0-9a-f]{128}$/),
});
export type SandboxTool = z.infer<typeof sandboxToolSchema>;

/** The largest archive of a tool that the broker accepts. */
export const maxToolArchiveBytes = 256 * 1024 ** 2;

/**
 * The folder of a tool in the volume. It contains the digest, so that an archive with other content, from a caller or a
 * registry that lies, never takes the place of the one that another caller asks for.
 */
export function sandboxToolFolder({ tool, version, digest }: SandboxTool): string {
  return `${tool}-${version}-${digest.slice(0, 32)}`;
}

const amount = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

export const sandboxUsageSchema = z.object({
  cpuMs: amount,
  /** The highest value that was measured. */
  memoryPeakBytes: amount,
  /** Bytes read and written, if the kernel counts them per sandbox. */
  ioBytes: amount.optional(),
  /** The highest number of processes and threads that was measured. */
  pids: amount,
});
export type SandboxUsage = z.infer<typeof sandboxUsageSchema>;

export const sandboxListSchema = z.object({
  /** Hard: a quota of the engine's file system. Soft: the broker counts, and ends what uses too much. */
  diskLimit: z.enum(['hard', 'soft']).optional(),
  sandboxes: z
    .array(
      z.object({
        id: z.uuid(),
        image: z.string(),
        operation: name.optional(),
        owner: name.optional(),
        startedAt: z.iso.datetime(),
        expiresAt: z.iso.datetime(),
        usage: sandboxUsageSchema.optional(),
      }),
    )
    .max(10_000),
});
export type SandboxList = z.infer<typeof sandboxListSchema>;

/** Why a sandbox ended. */
export const sandboxEnds = {
  stopped: 'it was stopped',
  abandoned: 'its client disconnected',
  exited: 'the toolbox ended',
  expired: 'its time limit was reached',
  disk: 'it exceeded its disk limit',
  start_failed: 'it could not be started',
  broker_stopped: 'the broker was stopped',
  engine_away: 'the engine went away',
} as const;
export type SandboxEndReason = keyof typeof sandboxEnds;

export const sandboxEndSchema = z.object({
  reason: z.enum(Object.keys(sandboxEnds) as [SandboxEndReason, ...SandboxEndReason[]]),
  exitCode: z.number().int().optional(),
  /** Whether the kernel killed a process in the sandbox because of its memory limit. */
  outOfMemory: z.boolean(),
  /** The last lines that the toolbox wrote to standard error. */
  errorOutput: z.string().max(20_000),
  usage: sandboxUsageSchema.optional(),
});
export type SandboxEnd = z.infer<typeof sandboxEndSchema>;
