import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { type Prisma, PrismaClient } from './generated/client.ts';

export type Client = PrismaClient;
/** Inside a transaction only this may be used: PGlite has one session, and the outer client would wait for ever. */
export type Transaction = Prisma.TransactionClient;

/** Long, because PGlite runs one transaction after the other and a burst has to wait its turn. */
const transactionLimitMs = 30_000;

export function createClient(adapter: SqlDriverAdapterFactory): Client {
  return new PrismaClient({
    adapter,
    transactionOptions: { maxWait: transactionLimitMs, timeout: transactionLimitMs },
  });
}

/** Documents are checked against the contract before they get here; Prisma's type for JSON cannot say so. */
export function toJson(value: object): Prisma.InputJsonValue {
  return value as Prisma.InputJsonValue;
}

/** Postgres keeps no NUL and no half surrogate in text, and a diff or a model's words may hold one. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}
