import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from './child.mjs';
import { root, workspacePath } from './places.mjs';
import { hashFiles, hasStamp, listFolder, stamped } from './stamp.mjs';

const folder = join(root, 'packages', 'database');
const generated = join(folder, 'src', 'generated');

export const prismaClient = {
  title: () => 'generating the database client',
  isNeeded: () =>
    sources().length > 0 && (!existsSync(generated) || !hasStamp('prisma-client', hashFiles(sources()))),
  run: () => stamped('prisma-client', hashFiles(sources()), generate),
};

/** Includes the manifest, because another version of prisma generates another client. */
function sources() {
  const schemas = listFolder(join(folder, 'prisma')).filter((file) => file.endsWith('.prisma'));
  if (schemas.length === 0) return [];
  const settings = ['prisma.config.ts', 'package.json'].map((name) => join(folder, name)).filter(existsSync);
  return [...schemas, ...settings, join(root, 'pnpm-workspace.yaml')];
}

async function generate() {
  await runQuietly(join(folder, 'node_modules', '.bin', 'prisma'), ['generate'], {
    cwd: folder,
    env: {
      ...process.env,
      PATH: workspacePath,
      // Generating does not need the schema engine, which prisma would download otherwise.
      PRISMA_SCHEMA_ENGINE_BINARY: ['/bin/true', '/usr/bin/true'].find(existsSync),
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
    failure: 'Generating the database client failed.',
    advice: 'See packages/database/prisma: the message above names the line.',
  });
}
