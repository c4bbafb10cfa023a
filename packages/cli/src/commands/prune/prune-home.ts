import { existsSync } from 'node:fs';
import { usageError } from '../../cli-error.ts';
import { type Config, readConfig } from '../../config.ts';
import { findServer } from '../../server/find-server.ts';
import { explainUnwritable, findHomeFault } from '../../stack/unwritable-home.ts';
import { printJson } from '../../view/print-json.ts';
import { openTerminal } from '../../view/terminal.ts';
import { wrapLines } from '../../view/text/wrap-line.ts';
import { type Area, listAreas } from './areas.ts';
import { describePrune, type PruneReport } from './describe-prune.ts';
import { removeEntries } from './remove-entries.ts';
import { limitToUnneeded, whileStopped } from './while-stopped.ts';

export interface PruneOptions {
  olderThan: string;
  dryRun?: boolean;
  json?: boolean;
  color: boolean;
}

const unitMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
/** While a server runs, what was used in the last hour may be in use. */
const inUseMs = 3_600_000;

export async function prune(options: PruneOptions): Promise<void> {
  const ageMs = readAge(options.olderThan);
  const config = readConfig();
  const fault = existsSync(config.home) ? findHomeFault(config.home) : undefined;
  if (fault) throw fault;
  const report = await pruneHome(config, ageMs, options).catch((error: unknown) => {
    throw explainUnwritable(config.home, error);
  });
  if (options.json) printJson(report);
  else {
    const terminal = openTerminal(process.stdout, options);
    terminal.print(wrapLines(describePrune(report), { width: terminal.width(), indent: 4 }));
  }
}

function readAge(text: string): number {
  const [, count, unit = ''] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  if (count === undefined) throw usageError(`--older-than takes 30m, 12h, 7d or 4w, not '${text}'.`);
  return Number(count) * (unitMs[unit] ?? 0);
}

/** An area, and why some of what is old enough is kept. */
export type Limited = Area & { why?: string };

async function pruneHome(
  config: Config,
  ageMs: number,
  { dryRun = false }: PruneOptions,
): Promise<PruneReport> {
  const { home } = config;
  const isRunning = (await findServer({ ...config, url: undefined })) !== undefined;
  const before = Date.now() - (isRunning ? Math.max(ageMs, inUseMs) : ageMs);
  const areas = await listAreas({ home, before });
  const exclusive = areas.filter(({ needsExclusive, removable }) => needsExclusive && removable.length > 0);
  const done: Limited[] = [];
  const remove = async (area: Limited) => {
    if (!dryRun) await removeEntries(home, area);
    done.push(area);
  };
  for (const area of areas) if (!exclusive.includes(area)) await remove(area);
  if (isRunning)
    for (const area of exclusive) done.push({ ...area, removable: [], why: 'kept while the server runs' });
  else if (exclusive.length > 0)
    await whileStopped(config, async (client) => {
      for (const area of exclusive) await remove(await limitToUnneeded(area, client, config));
    });
  return toReport(home, dryRun, done);
}

function toReport(home: string, dryRun: boolean, areas: Limited[]): PruneReport {
  const shown = areas.map(({ name, about, bytes, removable, why }) => ({
    ...{ name, about, bytes },
    removableBytes: removable.reduce((sum, entry) => sum + entry.bytes, 0),
    ...(why !== undefined && { kept: why }),
  }));
  const sum = (key: 'bytes' | 'removableBytes') => shown.reduce((total, each) => total + each[key], 0);
  return {
    ...{ home, dryRun, bytes: sum('bytes'), removableBytes: sum('removableBytes') },
    areas: shown.toSorted((a, b) => b.bytes - a.bytes),
  };
}
