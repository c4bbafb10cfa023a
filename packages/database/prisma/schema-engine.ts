/** Prisma's schema engine as WebAssembly: a tool for new migrations and for tests, never part of a start. */
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
    // What we ask for compares with a database that has the migrations already.
    connectToShadowDb: () => Promise.reject(new Error('There is no shadow database')),
  });
  return SchemaEngine.new({ datamodels: [[schemaPath, schema]] }, () => {}, factory);
}

/** The SQL that leads from the connected database to the schema; empty where they agree. */
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
