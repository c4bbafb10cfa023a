import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The folders of sandboxes that there are; what is prepared once for all of them is not among them. */
export function listSandboxFolders(home: string): string[] {
  const place = join(home, 'sandboxes');
  if (!existsSync(place)) return [];
  return readdirSync(place)
    .filter((name) => name.startsWith('sandbox-'))
    .map((name) => join(place, name));
}
