/** Whether a server runs, and whether it can work: one that lives may wait for a part that is away. */
import { z } from 'zod';
import type { CliError } from '../../cli-error.ts';
import type { Config } from '../../config.ts';
import { findServer } from '../../server/find-server.ts';
import type { Finding } from './diagnosis.ts';

const name = 'server';
/** It waits for each of its parts, for 2 s at most. */
const limitMs = 8_000;

export async function examineServer(config: Config): Promise<Finding> {
  try {
    const server = await findServer(config);
    if (server) return await askWhetherReady(server.url);
    const message = "does not run; 'fettle run' starts its own, 'fettle up' one that stays";
    return { name, state: 'ok', message };
  } catch (error) {
    return {
      ...{ name, state: 'problem', message: (error as Error).message },
      advice: config.url === undefined ? (error as CliError).advice : 'Correct or unset FETTLE_URL.',
    };
  }
}

async function askWhetherReady(url: string): Promise<Finding> {
  const { reason, notes = [] } = await readReadiness(url);
  const runs = `runs at ${url}`;
  if (reason !== undefined) {
    const advice = 'It goes on by itself when that is over; its log says more.';
    return { name, state: 'problem', message: `${runs}, and cannot work: ${reason}`, advice };
  }
  if (notes.length === 0) return { name, state: 'ok', message: runs };
  return { name, state: 'warning', message: `${runs}; ${notes.join('; ')}` };
}

/** Somebody else's server may say anything. */
const readinessSchema = z.object({
  notes: z.array(z.string().max(1_000)).max(20).default([]),
  error: z.object({ message: z.string().max(1_000) }).optional(),
});

async function readReadiness(url: string): Promise<{ reason?: string; notes?: string[] }> {
  try {
    const response = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(limitMs) });
    const { notes, error } = readinessSchema.parse(await response.json());
    return response.ok ? { notes } : { reason: error?.message ?? `status ${response.status}` };
  } catch (error) {
    const why = error instanceof z.ZodError ? 'it says something else' : (error as Error).message;
    return { reason: `it does not say whether it is ready (${why})` };
  }
}
