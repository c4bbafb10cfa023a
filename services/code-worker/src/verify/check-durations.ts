/** Remembers how long the commands of a repository usually take. Only an estimate: a lost or damaged file does no harm. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckResult } from '@fettle/contract';
import { z } from 'zod';
import type { Attempt } from '../attempt/attempt.ts';
import { replaceFile } from './replace-file.ts';

const maxCommands = 50;
const secondsByCommand = z
  .record(z.string().max(10_000), z.number().nonnegative())
  .refine((found) => Object.keys(found).length <= maxCommands);

export interface CheckDurations {
  /** The seconds that a command took the last time. */
  usual(command: string): number | undefined;
  note(check: Pick<CheckResult, 'command' | 'status' | 'obstacle' | 'durationMs'>): Promise<void>;
}

export async function openCheckDurations({
  config: { home },
  claim,
  log,
}: Pick<Attempt, 'claim' | 'config' | 'log'>): Promise<CheckDurations> {
  const path = join(home, 'check-durations', `${claim.source.repositoryId}.json`);
  const known = new Map(Object.entries(await readDurations(path)));
  return {
    usual: (command) => known.get(command),
    async note({ command, status, obstacle, durationMs }) {
      // A check that ran into its time limit takes at least that long.
      if (status === 'could_not_run' && obstacle?.code !== 'timeout') return;
      known.delete(command);
      known.set(command, durationMs / 1000);
      const newest = [...known].slice(-maxCommands);
      await replaceFile(path, JSON.stringify(Object.fromEntries(newest))).catch((error: unknown) =>
        log.warn({ error: String(error) }, 'cannot store how long a check took'),
      );
    },
  };
}

async function readDurations(path: string): Promise<Record<string, number>> {
  const text = await readFile(path, 'utf8').catch(() => '{}');
  try {
    return secondsByCommand.parse(JSON.parse(text));
  } catch {
    return {};
  }
}
