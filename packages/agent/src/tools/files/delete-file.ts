import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { pathInput } from './paths.ts';

export const deleteFile = defineTool({
  name: 'delete_file',
  description: 'Deletes one file.',
  effect: 'writes',
  paths: ({ path }) => [{ path, access: 'delete' }],
  input: z.strictObject({ path: pathInput }),
  async run({ path }, { sandbox, rateLimit }) {
    await rateLimit();
    await sandbox.deleteFile(path);
    return { output: `Deleted ${path}.` };
  },
});
