import { opendir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeText, type Finding, fingerprintOf, scanText } from '@fettle/secrets';
import { usageError } from '../../cli-error.ts';

/** Others' packages and git's own files: neither is what somebody is about to hand out. */
const passedOver = new Set(['.git', 'node_modules']);
const maxFileBytes = 256 * 1024 * 1024;

/** The findings of a file, or of all files of a folder in the order of their names; links are not followed. */
export async function* scanFiles(path: string): AsyncGenerator<Finding> {
  const found = await stat(path).catch(() => undefined);
  if (!found)
    throw usageError(
      `There is no file or folder '${path}'.`,
      'Name one that exists, or - for standard input.',
    );
  // A device or a pipe may never end.
  if (!found.isDirectory() && !found.isFile())
    throw usageError(`'${path}' is neither a file nor a folder.`, 'Give - as the path for standard input.');
  if (found.isFile()) yield* await scanFile(path);
  else for await (const file of listFiles(path)) yield* await scanFile(file);
}

async function* listFiles(folder: string): AsyncGenerator<string> {
  const entries = await Array.fromAsync(await opendir(folder));
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (passedOver.has(entry.name)) continue;
    if (entry.isDirectory()) yield* listFiles(join(folder, entry.name));
    else if (entry.isFile()) yield join(folder, entry.name);
  }
}

async function scanFile(file: string): Promise<Finding[]> {
  try {
    const { size } = await stat(file);
    if (size > maxFileBytes) return [unreadable(file, `larger than ${maxFileBytes} bytes`)];
    return scanText(decodeText(await readFile(file)), { filename: file });
  } catch (error) {
    return [unreadable(file, (error as NodeJS.ErrnoException).code ?? 'unknown')];
  }
}

/** What cannot be looked at is not clean. */
function unreadable(file: string, why: string): Finding {
  const rule = 'scan-incomplete';
  const excerpt = `(cannot be read: ${why})`;
  const fingerprint = fingerprintOf(rule, file);
  return { rule, file, line: 1, column: 1, severity: 'high', excerpt, fingerprint };
}
