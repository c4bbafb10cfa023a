import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';

/** A connection to Postgres: to a server, or to PGlite in this process. */
export interface Connection {
  readonly adapter: SqlDriverAdapterFactory;
  /** Runs outside any transaction, without Prisma. */
  query(sql: string): Promise<Row[]>;
  inTransaction(work: (session: Session) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export interface Session {
  query(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Runs several statements without splitting them. */
  script(sql: string): Promise<void>;
}

export type Row = Record<string, unknown>;
