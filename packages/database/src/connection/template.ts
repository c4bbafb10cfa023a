/**
 * A new PGlite database takes seconds to create and milliseconds to copy. So the first one of this checkout is kept, empty
 * and migrated, as the template of all later ones.
 */
import { createHash, randomUUID } from 'node:crypto';
import {
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Migration } from '../migrations/read-migrations.ts';

const templatesFolder = join(import.meta.dirname, '../../generated');

type CreateDatabase = (folder: string, migrations: Migration[]) => Promise<void>;

/** Creates the folder atomically. Does nothing if it exists. The caller holds the lock. */
export async function createDataFolder(
  data: string,
  migrations: Migration[],
  create: CreateDatabase,
): Promise<void> {
  if (existsSync(data)) return;
  const template = await ensureTemplate(migrations, create);
  const draft = `${data}.draft`;
  rmSync(draft, { recursive: true, force: true });
  if (!template || !copies(template, draft)) await create(draft, migrations);
  renameSync(draft, data);
}

/** Returns false for a template of another user, whose folders are private. */
function copies(template: string, draft: string): boolean {
  try {
    cpSync(template, draft, { recursive: true, mode: constants.COPYFILE_FICLONE });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    rmSync(draft, { recursive: true, force: true });
    return false;
  }
}

/** Returns undefined if the checkout is not writable. */
async function ensureTemplate(migrations: Migration[], create: CreateDatabase): Promise<string | undefined> {
  const name = `template-${identify(migrations)}`;
  const template = join(templatesFolder, name);
  if (existsSync(template)) return template;
  const draft = join(templatesFolder, `draft-${randomUUID()}`);
  try {
    mkdirSync(draft, { recursive: true });
  } catch {
    return undefined;
  }
  try {
    await create(draft, migrations);
    renameSync(draft, template);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another process may have created the template first.
    if (!existsSync(template)) throw error;
  }
  removeOutdated(name);
  return template;
}

function removeOutdated(current: string): void {
  for (const name of readdirSync(templatesFolder)) {
    if (name.startsWith('template-') && name !== current) {
      rmSync(join(templatesFolder, name), { recursive: true, force: true });
    }
  }
}

function identify(migrations: Migration[]): string {
  const pglite = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'));
  const { version } = JSON.parse(readFileSync(pglite, 'utf8')) as { version: string };
  const hash = createHash('sha256').update(version);
  for (const { name, checksum } of migrations) hash.update(`${name} ${checksum}\n`);
  return hash.digest('hex').slice(0, 16);
}
