import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { showPath } from './paths.ts';

const maxResults = 500;

export const searchFiles = defineTool({
  name: 'search_files',
  description: 'Finds files whose whole path matches a glob, such as src/**/*.test.ts or **/package.json.',
  effect: 'reads',
  // It returns names, no content.
  paths: 'none',
  input: z.strictObject({ pattern: z.string().min(1).max(500) }),
  async run({ pattern }, { sandbox, rateLimit }) {
    await rateLimit();
    const { paths, truncated } = await sandbox.findFiles(pattern, { maxResults });
    if (paths.length === 0)
      return {
        output: `No file matches ${pattern}. The pattern must match the whole path: try **/${pattern}.`,
      };
    return {
      output:
        paths.map(showPath).join('\n') + (truncated ? `\n(the first ${maxResults}; narrow the pattern)` : ''),
    };
  },
});
