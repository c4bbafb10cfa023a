/** Prisma: not reached, timed out, connection closed, none free, transaction lost. Postgres: ended, crashed, starting, dropped, idle. */
const awayCodes = new Set(
  ['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', '53300'].concat(
    ['57P01', '57P02', '57P03', '57P04', '57P05'],
    ['08000', '08001', '08003', '08004', '08006'],
  ),
);
/** It answers, and keeps nothing: a copy of another server or set to read-only, its disk is full, its memory is. */
const unwritableCodes = new Set(['25006', '53100', '53200']);
const awayWords =
  /connect (ENOENT|E[A-Z]*(REFUSED|RESET|TIMEDOUT|UNREACH))|read ECONNRESET|write EPIPE|Connection terminated|timeout exceeded when trying to connect|not queryable/;

/** Whether an error says that the server is away for now, and not that what it was asked is wrong. */
export function isDatabaseAway(error: unknown): boolean {
  return explainAbsence(error) !== undefined;
}

/** In a few words what is wrong with the server; nothing where the error is about something else. */
export function explainAbsence(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const codes = codesOf(error);
  if (codes.some((each) => unwritableCodes.has(each))) return 'takes no writes';
  if (codes.some((each) => awayCodes.has(each)) || awayWords.test(error.message)) return 'does not answer';
  return explainAbsence(error.cause);
}

/** Data that Postgres will not take, today or tomorrow: out of range, against a constraint, larger or deeper than it can read. */
const unfitClasses = /^(22|23|54)\w{3}$/;

export function isUnfit(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return codesOf(error).some((code) => unfitClasses.test(code)) || isUnfit(error.cause);
}

function codesOf(error: Error): string[] {
  const { code, meta } = error as { code?: unknown; meta?: { driverAdapterError?: { cause?: unknown } } };
  const { originalCode } = (meta?.driverAdapterError?.cause ?? {}) as { originalCode?: unknown };
  return [code, originalCode].map(String);
}
