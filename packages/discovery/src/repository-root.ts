/** All that discovery sees of a repository: what lies at its root. A link is no file. */
export interface RepositoryRoot {
  has(name: string): boolean;
  /** Undefined where there is no such file. */
  read(name: string, maxBytes: number): Promise<{ text: string } | { tooLarge: true } | undefined>;
}

const manifestBytes = 1_000_000;

/** The text of a file that people write by hand; one that is too large becomes a remark. */
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
