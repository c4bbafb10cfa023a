import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { pathInput } from './paths.ts';

export const resetFile = defineTool({
  name: 'reset_file',
  description:
    'Restores one file from the base commit. A file that the base commit does not have is deleted.',
  effect: 'writes',
  paths: ({ path }) => [{ path, access: 'write' }],
  input: z.strictObject({ path: pathInput }),
  async run({ path }, { sandbox, history, rateLimit }) {
    await rateLimit();
    const original = await history.baseFile(path);
    if (!original) {
      await sandbox.deleteFile(path);
      return { output: `${path} is not in the base commit; it was deleted.` };
    }
    await sandbox.writeFile(path, original.bytes, { executable: original.executable });
    return { output: `${path} is restored from the base commit.` };
  },
});
