import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GitError } from './git-error.ts';
import { makeScratchFolder } from './scratch-folder.ts';

/** Calls `use` with the environment in which git finds the token. The token's file is deleted afterwards. */
export async function withTokenFile<T>(
  token: string | undefined,
  use: (env: Record<string, string>) => Promise<T>,
): Promise<T> {
  if (token === undefined) return use({});
  const folder = await makeScratchFolder('git');
  try {
    const file = join(folder, 'token');
    await writeFile(file, token, { mode: 0o600, flag: 'wx' });
    // The script is part of the package, because temporary folders are often mounted noexec.
    const script = fileURLToPath(new URL('askpass.sh', import.meta.url));
    return await use({ GIT_ASKPASS: script, FETTLE_GIT_TOKEN_FILE: file });
  } catch (error) {
    throw error instanceof GitError ? withoutToken(error, token) : error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A host may repeat the token in its response, and git prints the response. */
function withoutToken({ code, message, detail, found }: GitError, token: string): GitError {
  const forms = [token, Buffer.from(token).toString('base64'), encodeURIComponent(token)];
  const clean = (text: string) => forms.reduce((left, form) => left.replaceAll(form, '[token]'), text);
  return new GitError(code, clean(message), { detail: clean(detail), found });
}
