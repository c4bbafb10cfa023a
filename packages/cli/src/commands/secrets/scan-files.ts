import { opendir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeText, type Finding, fingerprintOf, scanText } from '@fettle/secrets';
import { usageError } from '../../cli-error.ts';

/** Neither is part of what a user is about to publish. */
const skippedFolders = new Set(['.git', 'node_modules']);
const maxFileBytes = 256 * 1024 * 1024;

/** Yields the findings of a file, or of all files of a folder sorted by name. Symbolic links are not followed. */
export async function* scanFiles(path: string): AsyncGenerator<Finding> {
  const found = await stat(path).catch(() => undefined);
  if (!found)
    throw usageError(
      `'${path}' does not exist.`,
      'Give an existing file or folder, or - for standard input.',
    );
  // Reading a device or a pipe may never end.
  if (!found.isDirectory() && !found.isFile())
    throw usageError(`'${path}' is neither a file nor a folder.`, 'Use - to scan standard input.');
  if (found.isFile()) yield* await scanFile(path);
  else for await (const file of listFiles(path)) yield* await scanFile(file);
}

async function* listFiles(folder: string): AsyncGenerator<string> {
  const entries = await Array.fromAsync(await opendir(folder));
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (skippedFolders.has(entry.name)) continue;
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

/** An unreadable file counts as a finding, because it was not scanned. */
function unreadable(file: string, why: string): Finding {
  const rule = 'scan-incomplete';
  const excerpt = `(cannot be read: ${why})`;
  const fingerprint = fingerprintOf(rule, file);
  return { rule, file, line: 1, column: 1, severity: 'high', excerpt, fingerprint };
}
