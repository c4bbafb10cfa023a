/** Tells errors of an unavailable database server from errors of a query. */

/** Prisma: unreachable, timeout, connection closed, pool exhausted, transaction lost. Postgres: shut down, crashed, starting, dropped, idle. */
const unreachableCodes = new Set(
  ['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', '53300'].concat(
    ['57P01', '57P02', '57P03', '57P04', '57P05'],
    ['08000', '08001', '08003', '08004', '08006'],
  ),
);
/** The server answers but cannot write: it is read-only, or its disk or memory is full. */
const unwritableCodes = new Set(['25006', '53100', '53200']);
const unreachablePattern =
  /connect (ENOENT|E[A-Z]*(REFUSED|RESET|TIMEDOUT|UNREACH))|read ECONNRESET|write EPIPE|Connection terminated|timeout exceeded when trying to connect|not queryable/;

/** Whether an error means that the server is unavailable for now, and not that the query is wrong. */
export function isDatabaseAway(error: unknown): boolean {
  return describeOutage(error) !== undefined;
}

/** A predicate for the server, such as 'does not answer'. Undefined for errors of the query itself. */
export function describeOutage(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const codes = codesOf(error);
  if (codes.some((each) => unwritableCodes.has(each))) return 'refuses writes';
  if (codes.some((each) => unreachableCodes.has(each)) || unreachablePattern.test(error.message))
    return 'does not answer';
  return describeOutage(error.cause);
}

/** Data that Postgres always rejects: out of range, against a constraint, too large or too deeply nested. */
const invalidDataClasses = /^(22|23|54)\w{3}$/;

export function isInvalidData(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return codesOf(error).some((code) => invalidDataClasses.test(code)) || isInvalidData(error.cause);
}

function codesOf(error: Error): string[] {
  const { code, meta } = error as { code?: unknown; meta?: { driverAdapterError?: { cause?: unknown } } };
  const { originalCode } = (meta?.driverAdapterError?.cause ?? {}) as { originalCode?: unknown };
  return [code, originalCode].map(String);
}
