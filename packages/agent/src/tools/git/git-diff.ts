import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const gitDiff = defineTool({
  name: 'git_diff',
  description: 'Shows all differences from the base commit, as a diff.',
  effect: 'reads',
  paths: 'none',
  input: z.strictObject({}),
  async run(_input, { history }) {
    return { output: (await history.diff()) || 'Nothing differs from the base commit.' };
  },
});
