import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { showPath } from './show-path.ts';

const maxEntries = 1_000;

export const listDirectory = defineTool({
  name: 'list_directory',
  description: 'Lists a folder; folders end in a slash. depth says how many levels to go down.',
  effect: 'reads',
  input: z.strictObject({
    path: z.string().max(1_000).default('.').describe('Folder from the root of the repository'),
    depth: z.int().min(1).max(10).default(1),
  }),
  async run({ path, depth }, { sandbox, pace }) {
    await pace();
    const { entries, total, truncated } = await sandbox.listDirectory(path, { maxEntries, recursive: depth });
    if (entries.length === 0) return { output: `${path} is empty.` };
    const lines = entries.map((entry) =>
      entry.kind === 'directory' ? showPath(`${entry.path}/`) : showPath(entry.path),
    );
    const rest = truncated
      ? `\n(${entries.length} of ${total} or more entries; list a deeper folder to see the rest)`
      : '';
    return { output: lines.join('\n') + rest };
  },
});
