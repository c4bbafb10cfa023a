import type { Sandbox } from '@fettle/sandbox';
import type { Work } from './work.ts';

/**
 * Ends a sandbox and puts on record what it used in all: above all of one that was lost to a limit, where it says why.
 * That is worth neither an outcome nor hiding the error that led here.
 */
async function closeSandbox(work: Work, sandbox: Sandbox): Promise<void> {
  try {
    await sandbox.close();
  } finally {
    const usage = await sandbox.usage().catch(() => undefined);
    if (usage !== undefined) await record(work, sandbox, usage).catch(() => {});
  }
}

type Usage = NonNullable<Awaited<ReturnType<Sandbox['usage']>>>;

async function record(work: Work, { id }: Sandbox, { ioBytes, ...usage }: Usage): Promise<void> {
  await work.record({
    type: 'sandbox.used',
    attempt: work.claim.attempt,
    ...(id !== undefined && { sandboxId: id }),
    ...usage,
    ...(ioBytes !== undefined && { ioBytes }),
  });
}

export type Closings = ReturnType<typeof createClosings>;

/** Sandboxes that end beside other work: counting what they used takes an engine up to a second. */
export function createClosings(work: Work) {
  const closings = new Map<Sandbox, Promise<void>>();
  return {
    begin(sandbox: Sandbox): void {
      if (closings.has(sandbox)) return;
      const closing = closeSandbox(work, sandbox);
      closing.catch(() => {});
      closings.set(sandbox, closing);
    },
    async done(): Promise<void> {
      await Promise.all(closings.values());
    },
  };
}
