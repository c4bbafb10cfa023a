import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { pathInput } from './path-input.ts';

export const resetFile = defineTool({
  name: 'reset_file',
  description: 'Puts one file back to how it is in the base commit; a file that is not there is deleted.',
  effect: 'writes',
  input: z.strictObject({ path: pathInput }),
  async run({ path }, { sandbox, history, pace }) {
    await pace();
    const original = await history.baseFile(path);
    if (!original) {
      await sandbox.deleteFile(path);
      return { output: `${path} is not in the base commit; it was deleted.`, touched: [path] };
    }
    await sandbox.writeFile(path, original.bytes, { executable: original.executable });
    return { output: `${path} is again as in the base commit.`, touched: [path] };
  },
});
