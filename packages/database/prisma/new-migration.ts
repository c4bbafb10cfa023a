/** `node prisma/new-migration.ts <name>`: writes the migration from the current migrations to schema.prisma. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openTemporary } from '../src/connection/embedded.ts';
import { migrationsFolder, readMigrations } from '../src/migrations/read-migrations.ts';
import { diffToSchema, readSchema } from './schema-engine.ts';

const name = process.argv[2];
if (!name || !/^[a-z][a-z0-9_]*$/.test(name)) {
  console.error('Usage: node prisma/new-migration.ts <name>, with a name such as add_sessions');
  process.exit(2);
}

const migrations = await readMigrations();
const connection = await openTemporary(migrations);
try {
  const sql = await diffToSchema(connection.adapter, await readSchema());
  if (sql === '') {
    console.log('The migrations match the schema: nothing to write.');
  } else {
    const folder = join(migrationsFolder, `${String(migrations.length + 1).padStart(4, '0')}_${name}`);
    await mkdir(folder);
    await writeFile(join(folder, 'migration.sql'), sql);
    console.log(
      `Wrote ${folder}/migration.sql. Review it, and add the constraints that Prisma cannot express.`,
    );
  }
} finally {
  await connection.close();
}
