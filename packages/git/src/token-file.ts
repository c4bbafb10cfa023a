import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeScratchFolder } from './scratch-folder.ts';

/** Calls `use` with the environment by which git finds the token; its file is gone afterwards. */
export async function withTokenFile<T>(
  token: string | undefined,
  use: (env: Record<string, string>) => Promise<T>,
): Promise<T> {
  if (token === undefined) return use({});
  const folder = await makeScratchFolder('git');
  try {
    const file = join(folder, 'token');
    await writeFile(file, token, { mode: 0o600, flag: 'wx' });
    // The script is a file of the package, since a temporary folder is often mounted noexec.
    const script = fileURLToPath(new URL('askpass.sh', import.meta.url));
    return await use({ GIT_ASKPASS: script, FETTLE_GIT_TOKEN_FILE: file });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
