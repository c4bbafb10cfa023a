// What the sandbox broker can be asked, and its answers. All requests carry the broker's key as a bearer token and no body:
//   POST   /v1/sandboxes?…           with `Upgrade: fettle-toolbox`: starts one; the connection becomes the toolbox's stream
//   GET    /v1/sandboxes             lists them
//   GET    /v1/sandboxes/<id>/usage  what one has used so far
//   PUT    /v1/sandboxes/<id>/operation/<name>  says for which operation a spare one was taken; once
//   DELETE /v1/sandboxes/<id>        ends it; answers how it ended, also when it had ended by itself
import { z } from 'zod';

export const toolboxUpgrade = 'fettle-toolbox';
/** The header of the answer to a start that says which sandbox it is. */
export const sandboxIdHeader = 'fettle-sandbox-id';

const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/);

/** The query of a start; there is nothing here that a container's settings could be made of. */
export const startSandboxSchema = z.strictObject({
  /** One of those that the broker allows; its first one where none is named. */
  image: z.string().min(1).max(300).optional(),
  /** For which operation; a spare one has none yet, and is told later. */
  operation: name.optional(),
  /** Who asks, for the lists. */
  owner: name.optional(),
  warmUpAfterMs: z.coerce.number().int().min(0).max(600_000).optional(),
});
export type StartSandbox = z.infer<typeof startSandboxSchema>;

const amount = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

export const sandboxUsageSchema = z.object({
  cpuMs: amount,
  /** The most that was seen. */
  memoryPeakBytes: amount,
  /** Read and written, where the kernel counts it for a sandbox by itself. */
  ioBytes: amount.optional(),
  /** The most processes and threads that were seen. */
  pids: amount,
});
export type SandboxUsage = z.infer<typeof sandboxUsageSchema>;

export const sandboxListSchema = z.object({
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
        /** Whether files without a name, and very many empty ones, count against its disk; not known at first. */
        countsHiddenFiles: z.boolean().optional(),
      }),
    )
    .max(10_000),
});
export type SandboxList = z.infer<typeof sandboxListSchema>;

/** Why a sandbox is no more. */
export const sandboxEnds = {
  stopped: 'it was asked for',
  abandoned: 'whoever started it was gone',
  exited: 'the toolbox ended',
  expired: 'its time was up',
  disk: 'it took more disk than it may',
  start_failed: 'it could not be started',
  broker_stopped: 'the broker was stopped',
} as const;
export type SandboxEndReason = keyof typeof sandboxEnds;

export const sandboxEndSchema = z.object({
  reason: z.enum(Object.keys(sandboxEnds) as [SandboxEndReason, ...SandboxEndReason[]]),
  exitCode: z.number().int().optional(),
  /** Whether the kernel killed something in it for want of memory. */
  outOfMemory: z.boolean(),
  /** The last that the toolbox wrote to standard error. */
  errorOutput: z.string().max(20_000),
  usage: sandboxUsageSchema.optional(),
});
export type SandboxEnd = z.infer<typeof sandboxEndSchema>;
