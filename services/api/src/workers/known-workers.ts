/** The workers that reported lately. Kept in memory: each reports every few seconds, so a restarted api knows them soon. */
import type { WorkerReport, WorkerStatus } from '@fettle/contract';

export type KnownWorkers = ReturnType<typeof createKnownWorkers>;

/** Several times the pause between two reports. */
const expiryMs = 20_000;
const maxWorkers = 1_000;

export function createKnownWorkers(now = () => Date.now()) {
  const startedAt = now();
  const reports = new Map<string, { report: WorkerReport; at: number }>();

  function list(): WorkerStatus[] {
    for (const [name, { at }] of reports) if (now() - at > expiryMs) reports.delete(name);
    return [...reports.values()]
      .map(({ report, at }) => ({
        ...report,
        canWork: report.problems.length === 0,
        seenAt: new Date(at).toISOString(),
      }))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  }

  /** One sentence for each worker that takes no operations. */
  function listProblems(): string[] {
    return list().flatMap(({ name, problems, canWork }) =>
      canWork ? [] : [`${name} cannot work: ${problems.join('; ')}`],
    );
  }

  return {
    note(report: WorkerReport): void {
      // The latest reports stay.
      reports.delete(report.name);
      reports.set(report.name, { report, at: now() });
      const [oldest] = reports.keys();
      if (reports.size > maxWorkers && oldest !== undefined) reports.delete(oldest);
    },
    list,
    listProblems,
    /** Why no worker takes an operation now. Undefined if one does, or if that is not known yet. */
    whyNoneWorks(): string | undefined {
      const workers = list();
      if (workers.some(({ canWork }) => canWork)) return undefined;
      if (workers.length > 0) return listProblems().join('; ');
      return now() - startedAt > expiryMs ? 'none has reported to the api' : undefined;
    },
  };
}
