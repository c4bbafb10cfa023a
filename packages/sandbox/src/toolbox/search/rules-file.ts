import { closeSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRegularFile } from '../files/open-regular-file.ts';
import type { Toolbox } from '../toolbox.ts';

/** Written where it does not stand there already: making a file takes ten times as long as reading it. */
export function writeRules({ root }: Toolbox, rules: string): string {
  const file = join(root, 'ignore-rules');
  // Git's own folder is named in no rule.
  const text = `${rules}\n.git\n`;
  if (!holds(file, text)) writeFileSync(file, text);
  return file;
}

function holds(file: string, text: string): boolean {
  try {
    const { fd } = openRegularFile(file, file);
    try {
      return readFileSync(fd, 'utf8') === text;
    } finally {
      closeSync(fd);
    }
  } catch {
    return false;
  }
}
