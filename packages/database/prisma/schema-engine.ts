/** Prisma's schema engine as WebAssembly, for new migrations and for tests. Never used at startup. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import { SchemaEngine } from '@prisma/schema-engine-wasm';

const schemaPath = join(import.meta.dirname, 'schema.prisma');

export async function readSchema(): Promise<string> {
  return readFile(schemaPath, 'utf8');
}

export async function openSchemaEngine(
  adapter: SqlDriverAdapterFactory,
  schema: string,
): Promise<SchemaEngine> {
  const factory = bindMigrationAwareSqlAdapterFactory({
    ...adapter,
    // The comparison uses a database that has all migrations.
    connectToShadowDb: () => Promise.reject(new Error('there is no shadow database')),
  });
  return SchemaEngine.new({ datamodels: [[schemaPath, schema]] }, () => {}, factory);
}

/** The SQL that changes the connected database to the schema. Empty if they match. */
export async function diffToSchema(adapter: SqlDriverAdapterFactory, schema: string): Promise<string> {
  const engine = await openSchemaEngine(adapter, schema);
  const files = [{ path: schemaPath, content: schema }];
  try {
    const { exitCode, stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: import.meta.dirname },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    });
    return exitCode === 0 ? '' : (stdout ?? '');
  } finally {
    engine.free();
  }
}
