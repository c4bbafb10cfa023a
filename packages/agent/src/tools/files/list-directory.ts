import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { showPath } from './paths.ts';

const maxEntries = 1_000;

export const listDirectory = defineTool({
  name: 'list_directory',
  description:
    'Lists a folder; the names of folders end with a slash. depth is the number of levels to list.',
  effect: 'reads',
  paths: ({ path }) => [{ path, access: 'read' }],
  input: z.strictObject({
    path: z.string().max(1_000).default('.').describe('Folder, relative to the root of the repository'),
    depth: z.int().min(1).max(10).default(1),
  }),
  async run({ path, depth }, { sandbox, rateLimit }) {
    await rateLimit();
    const { entries, total, truncated } = await sandbox.listDirectory(path, { maxEntries, recursive: depth });
    if (entries.length === 0) return { output: `${path} is empty.` };
    const lines = entries.map((entry) =>
      entry.kind === 'directory' ? showPath(`${entry.path}/`) : showPath(entry.path),
    );
    const rest = truncated
      ? `\n(${entries.length} of ${total} or more entries; list a subfolder to see the rest)`
      : '';
    return { output: lines.join('\n') + rest };
  },
});
