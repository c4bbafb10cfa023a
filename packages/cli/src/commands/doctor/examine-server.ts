/** Examines whether a server runs and is ready: it may run while Redis or the database is away. */
import { z } from 'zod';
import type { CliError } from '../../cli-error.ts';
import type { Config } from '../../config.ts';
import { findServer } from '../../server/find-server.ts';
import type { Diagnosis } from './diagnosis.ts';

const name = 'server';
/** The server waits up to 2 s for each of its parts. */
const timeoutMs = 8_000;

export async function examineServer(config: Config): Promise<Diagnosis> {
  try {
    const server = await findServer(config);
    if (server) return await examineReadiness(server.url);
    const message = "not running; 'fettle up' starts one, 'fettle run' brings its own";
    return { name, state: 'ok', message };
  } catch (error) {
    return {
      ...{ name, state: 'problem', message: (error as Error).message },
      advice: config.url === undefined ? (error as CliError).advice : 'Correct or unset FETTLE_URL.',
    };
  }
}

async function examineReadiness(url: string): Promise<Diagnosis> {
  const { reason, notes = [] } = await readReadiness(url);
  const runs = `running at ${url}`;
  if (reason !== undefined) {
    const advice = 'The server recovers by itself when the cause is gone. See its log for details.';
    return { name, state: 'problem', message: `${runs}, but not ready: ${reason}`, advice };
  }
  if (notes.length === 0) return { name, state: 'ok', message: runs };
  return { name, state: 'warning', message: `${runs}; ${notes.join('; ')}` };
}

/** FETTLE_URL may point to any server, so its answer is bounded. */
const readinessSchema = z.object({
  notes: z.array(z.string().max(1_000)).max(20).default([]),
  error: z.object({ message: z.string().max(1_000) }).optional(),
});

async function readReadiness(url: string): Promise<{ reason?: string; notes?: string[] }> {
  try {
    const response = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(timeoutMs) });
    const { notes, error } = readinessSchema.parse(await response.json());
    return response.ok ? { notes } : { reason: error?.message ?? `status ${response.status}` };
  } catch (error) {
    const why = error instanceof z.ZodError ? 'unexpected response' : (error as Error).message;
    return { reason: `/readyz failed (${why})` };
  }
}
