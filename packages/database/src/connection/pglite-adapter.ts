/**
 * The PGlite adapter with its scripts and transactions replaced: the original does not wait for a script, and it ignores
 * errors of COMMIT (a full disk, for example), so that lost rows would count as written.
 */
import type { PGlite, Transaction as PGliteTransaction } from '@electric-sql/pglite';
import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQueryable,
  Transaction,
} from '@prisma/driver-adapter-utils';
import { PrismaPGlite } from 'pglite-prisma-adapter';

export function pgliteAdapter(client: PGlite): SqlDriverAdapterFactory {
  const factory = new PrismaPGlite(client);
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async (): Promise<SqlDriverAdapter> => {
      const base = await factory.connect();
      return {
        ...queriesOf(base),
        getConnectionInfo: () => ({ supportsRelationJoins: true }),
        executeScript: async (script) => {
          await client.exec(script);
        },
        startTransaction: () => startTransaction(client),
        // The connection is closed by the code that opened it.
        dispose: async () => {},
      };
    },
  };
}

async function startTransaction(client: PGlite): Promise<Transaction> {
  const started = Promise.withResolvers<PGliteTransaction>();
  const decided = Promise.withResolvers<'commit' | 'rollback'>();
  const ended = client.transaction(async (transaction) => {
    started.resolve(transaction);
    if ((await decided.promise) === 'rollback') await transaction.rollback();
  });
  ended.catch(started.reject);
  const transaction = await started.promise;
  // The adapter only uses the query methods, which the transaction has as well.
  const queryable = await new PrismaPGlite(transaction as unknown as PGlite).connect();
  return {
    ...queriesOf(queryable),
    // PGlite sends BEGIN, COMMIT and ROLLBACK itself.
    options: { usePhantomQuery: true },
    commit: () => {
      decided.resolve('commit');
      return ended;
    },
    rollback: () => {
      decided.resolve('rollback');
      return ended;
    },
  };
}

function queriesOf(source: SqlQueryable): SqlQueryable {
  return {
    provider: source.provider,
    adapterName: source.adapterName,
    queryRaw: (query) => source.queryRaw(query),
    executeRaw: (query) => source.executeRaw(query),
  };
}
