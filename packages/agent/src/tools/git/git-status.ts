import { z } from 'zod';
import { showPath } from '../files/paths.ts';
import { defineTool } from '../tool.ts';

export const gitStatus = defineTool({
  name: 'git_status',
  description:
    'Lists the files that differ from the base commit, each with its status: added, modified, deleted or renamed.',
  effect: 'reads',
  paths: 'none',
  input: z.strictObject({}),
  async run(_input, { history }) {
    const files = await history.changedFiles();
    if (files.length === 0) return { output: 'Nothing differs from the base commit.' };
    return { output: files.map(({ path, status }) => `${status} ${showPath(path)}`).join('\n') };
  },
});
