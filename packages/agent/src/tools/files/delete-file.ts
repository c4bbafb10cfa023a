import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { pathInput } from './path-input.ts';

export const deleteFile = defineTool({
  name: 'delete_file',
  description: 'Deletes one file.',
  effect: 'writes',
  operation: 'delete',
  input: z.strictObject({ path: pathInput }),
  async run({ path }, { sandbox, pace }) {
    await pace();
    await sandbox.deleteFile(path);
    return { output: `Deleted ${path}.`, touched: [path] };
  },
});
