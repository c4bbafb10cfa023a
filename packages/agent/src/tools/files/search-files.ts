import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { showPath } from './show-path.ts';

const maxResults = 500;

export const searchFiles = defineTool({
  name: 'search_files',
  description: 'Finds files by a glob over their whole path, such as src/**/*.test.ts or **/package.json.',
  effect: 'reads',
  input: z.strictObject({ pattern: z.string().min(1).max(500) }),
  async run({ pattern }, { sandbox, pace }) {
    await pace();
    const { paths, truncated } = await sandbox.findFiles(pattern, { maxResults });
    if (paths.length === 0)
      return { output: `No file matches ${pattern}. A pattern covers the whole path: try **/${pattern}.` };
    return {
      output:
        paths.map(showPath).join('\n') + (truncated ? `\n(the first ${maxResults}; narrow the pattern)` : ''),
    };
  },
});
