/** The files at the root of a repository. Discovery sees nothing else. Links do not count as files. */
export interface RepositoryRoot {
  has(name: string): boolean;
  /** Undefined for a missing file. */
  read(name: string, maxBytes: number): Promise<{ text: string } | { tooLarge: true } | undefined>;
}

const manifestBytes = 1_000_000;

/** The text of a hand-written file. A file that is too large adds a remark. */
export async function readManifest(
  root: RepositoryRoot,
  name: string,
  remarks: string[],
): Promise<string | undefined> {
  if (!root.has(name)) return undefined;
  const file = await root.read(name, manifestBytes);
  if (file === undefined) return undefined;
  if ('text' in file) return file.text.replace(/^\u{feff}/u, '');
  remarks.push(`${name} has more than ${manifestBytes} bytes and was not read`);
  return undefined;
}
