import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const gitLog = defineTool({
  name: 'git_log',
  description: 'Shows the newest commits of the base branch, optionally only those that touch a path.',
  effect: 'reads',
  paths: ({ path }) => (path === undefined ? [] : [{ path, access: 'read' }]),
  input: z.strictObject({
    max: z.int().min(1).max(200).default(20),
    path: z.string().min(1).max(1_000).optional(),
  }),
  async run({ max, path }, { history }) {
    const commits = await history.log({ max, path });
    if (commits.length === 0)
      return { output: path ? `No commit touches ${path}.` : 'There are no commits.' };
    return {
      output: commits
        .map(({ oid, date, author, subject }) => `${oid.slice(0, 10)} ${date} ${author}: ${subject}`)
        .join('\n'),
    };
  },
});
