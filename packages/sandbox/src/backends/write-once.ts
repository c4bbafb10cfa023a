import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';

/** Makes a folder that several processes may want at once: whoever is first has made it, whole. */
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
