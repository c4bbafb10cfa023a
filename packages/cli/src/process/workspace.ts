import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The root of the workspace that contains this file. The services are started from there. */
export const workspaceRoot = join(import.meta.dirname, '..', '..', '..', '..');

export const serviceMain = {
  api: join(workspaceRoot, 'services', 'api', 'src', 'main.ts'),
  worker: join(workspaceRoot, 'services', 'code-worker', 'src', 'main.ts'),
  broker: join(workspaceRoot, 'services', 'sandbox-broker', 'src', 'main.ts'),
};

/** Inside node_modules, so that removing that folder also removes the cache. */
export const compileCache = join(workspaceRoot, 'node_modules', '.cache', 'fettle-compile');

export function readVersion(): string {
  return JSON.parse(readFileSync(join(workspaceRoot, 'package.json'), 'utf8')).version;
}
