/** Files that may not be read are not passed to a sandbox. A placeholder takes their place. */
import { type CommittedFile, listFiles, type Replacement, readFileObjects } from '@fettle/git';
import { isTestFixture, judgePath } from '@fettle/policy';
import {
  createLineFinder,
  decodeText,
  filterNpmrc,
  filterYarnrc,
  type LineFinder,
  listSecrets,
  listTellingLines,
} from '@fettle/secrets';

export interface WithheldFile extends Replacement {
  path: string;
  /** Text of the file that the sandbox does not get. Empty if the file is too large to be compared. */
  omitted: string;
}

/** Larger files are withheld without a look, and their lines are not recognised in other files. */
const maxFileBytes = 1024 ** 2;
const maxTotalBytes = 64 * 1024 ** 2;

/** The same for every commit of an operation, because no change may touch these files. */
export async function findWithheld(mirror: string, commit: string): Promise<WithheldFile[]> {
  const files = await listFiles(
    mirror,
    commit,
    (path) => yarnrc.test(path) || judgePath(path, 'read').decision === 'deny',
  );
  const small = files.filter(({ size }) => size <= maxFileBytes);
  const objects = await readFileObjects(
    mirror,
    small.map(({ oid }) => oid),
    maxTotalBytes,
  );
  const contents = new Map(small.map((file, at) => [file, objects[at]?.bytes]));
  return files.flatMap((file) => withhold(file, contents.get(file)) ?? []);
}

/** Undefined if the sandbox gets the file as it is. */
function withhold(file: CommittedFile, bytes: Buffer | undefined): WithheldFile | undefined {
  const { path } = file;
  const whole = { ...file, bytes: Buffer.from(placeholderFor(path)) };
  if (bytes === undefined) return { ...whole, omitted: '' };
  const text = decodeText(bytes);
  if (isHarmlessFixture(path, bytes, text)) return undefined;
  const filtered = filterKnown(path, text);
  if (filtered === undefined) return { ...whole, omitted: text };
  if (filtered.removed.length === 0) return undefined;
  return { ...file, bytes: Buffer.from(filtered.text), omitted: filtered.removed.join('\n') };
}

const npmrc = /(^|\/)\.npmrc$/;
/** May be read, without the lines that log in to a registry. */
const yarnrc = /(^|\/)\.yarnrc\.yml$/;

function filterKnown(path: string, text: string) {
  if (npmrc.test(path)) return filterNpmrc(text, authenticationNote);
  return yarnrc.test(path) ? filterYarnrc(text, authenticationNote) : undefined;
}

/** Nobody can tell what a binary keystore opens. */
function isHarmlessFixture(path: string, bytes: Buffer, text: string): boolean {
  return isTestFixture(path) && !bytes.includes(0) && listSecrets(text).length === 0;
}

const authenticationNote = 'Fettle withholds a line with authentication from sandboxes.';

export const placeholderStart = '# Fettle withholds ';

function placeholderFor(path: string): string {
  return `${placeholderStart}${JSON.stringify(path)} from sandboxes, because files of this name hold credentials.
# The repository keeps its own file: whatever happens to this placeholder is not part of a change.
`;
}

/** Recognises lines of withheld files, and their placeholders, in other texts. */
export function createWithheldFinder(files: readonly WithheldFile[]): LineFinder {
  return createLineFinder(
    files.flatMap(({ path, omitted }) => [
      ...listTellingLines(omitted),
      ...(placeholderFor(path).split('\n', 1) as [string]),
    ]),
  );
}

const boundary = '[^\\p{L}\\p{N}_.-]';

/** The withheld files that an output names, by their path or by their name alone. */
export function findWithheldIn(output: string, withheld: readonly string[]): string[] {
  return withheld.filter((path) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const escaped = name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    return new RegExp(`(^|${boundary})${escaped}(\\.?(${boundary}|$))`, 'u').test(output);
  });
}
