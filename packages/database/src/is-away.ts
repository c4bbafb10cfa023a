/** Prisma: not reached, timed out, connection closed, none free, transaction lost. Postgres: ended, crashed, starting. */
const awayCodes = new Set(
  ['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', '57P01', '57P02', '57P03', '53300'].concat([
    '08000',
    '08001',
    '08003',
    '08004',
    '08006',
  ]),
);
const awayWords =
  /connect (ENOENT|E[A-Z]*(REFUSED|RESET|TIMEDOUT|UNREACH))|read ECONNRESET|write EPIPE|Connection terminated|timeout exceeded when trying to connect|not queryable/;

/** Whether an error says that the server is away for now, and not that what it was asked is wrong. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, meta } = error as { code?: unknown; meta?: { driverAdapterError?: { cause?: unknown } } };
  const { originalCode } = (meta?.driverAdapterError?.cause ?? {}) as { originalCode?: unknown };
  if ([code, originalCode].some((each) => awayCodes.has(String(each)))) return true;
  return awayWords.test(error.message) || isDatabaseAway(error.cause);
}
