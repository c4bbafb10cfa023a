import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';

/** One way to reach Postgres. There are two: a server, and PGlite in this process. */
export interface Connection {
  readonly adapter: SqlDriverAdapterFactory;
  /** Runs outside any transaction, without Prisma. */
  query(sql: string): Promise<Row[]>;
  inTransaction(work: (session: Session) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export interface Session {
  query(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Many statements as they stand; nothing splits them. */
  script(sql: string): Promise<void>;
}

export type Row = Record<string, unknown>;
