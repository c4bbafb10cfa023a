/** The files of a repository, or of a folder in it. Links do not count as files. */
export interface RepositoryRoot {
  /** Whether there is a file of this name at the root. */
  has(name: string): boolean;
  /** Undefined for a missing file. */
  read(name: string, maxBytes: number): Promise<{ text: string } | { tooLarge: true } | undefined>;
  /** All files, with their paths. */
  paths(): Promise<readonly string[]>;
}

const manifestBytes = 1_000_000;

/** The text of a hand-written file. A file that is too large adds a remark. */
export async function readManifest(
  root: RepositoryRoot,
  name: string,
  remarks: string[],
): Promise<string | undefined> {
  if (!root.has(name)) return undefined;
  return readText(root, name, remarks);
}

/** As above, for a file in any folder. */
export async function readText(
  root: RepositoryRoot,
  path: string,
  remarks: string[],
): Promise<string | undefined> {
  const file = await root.read(path, manifestBytes);
  if (file === undefined) return undefined;
  if ('text' in file) return file.text.replace(/^\u{feff}/u, '');
  remarks.push(`${path} has more than ${manifestBytes} bytes and was not read`);
  return undefined;
}

/** A folder of the repository, seen as a repository of its own. */
export async function openFolder(root: RepositoryRoot, folder: string): Promise<RepositoryRoot> {
  const prefix = `${folder}/`;
  const inside = (await root.paths()).flatMap((path) =>
    path.startsWith(prefix) ? [path.slice(prefix.length)] : [],
  );
  const files = new Set(inside.filter((path) => !path.includes('/')));
  return {
    has: (name) => files.has(name),
    read: (name, maxBytes) => root.read(`${prefix}${name}`, maxBytes),
    paths: async () => inside,
  };
}
