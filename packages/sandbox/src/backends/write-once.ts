import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';

/** Creates a folder atomically: when several processes try at once, the first one wins and the others use its folder. */
export async function writeOnce(
  path: string,
  write: (draft: string) => void | Promise<void>,
): Promise<string> {
  if (existsSync(path)) return path;
  const draft = `${path}.${process.pid}`;
  mkdirSync(draft, { recursive: true, mode: 0o755 });
  try {
    await write(draft);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(path)) throw error;
  }
  return path;
}
