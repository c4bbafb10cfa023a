import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { type Prisma, PrismaClient } from './generated/client.ts';

export type Client = PrismaClient;
/** Inside a transaction, use only this: PGlite has one session, so the outer client would deadlock. */
export type Transaction = Prisma.TransactionClient;

/** Long, because PGlite runs transactions one after the other, and bursts have to queue. */
const transactionLimitMs = 30_000;

export function createClient(adapter: SqlDriverAdapterFactory): Client {
  return new PrismaClient({
    adapter,
    transactionOptions: { maxWait: transactionLimitMs, timeout: transactionLimitMs },
  });
}

/** For documents that the contract has validated. Prisma's JSON type cannot express that. */
export function toJson(value: object): Prisma.InputJsonValue {
  return value as Prisma.InputJsonValue;
}

/** Postgres rejects NUL and lone surrogates in text, and a diff or a model's answer may contain them. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}
