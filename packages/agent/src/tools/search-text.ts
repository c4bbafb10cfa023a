import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { showPath } from './show-path.ts';

const maxResults = 300;
const maxLineLength = 400;

export const searchText = defineTool({
  name: 'search_text',
  description:
    'Searches file contents by a regular expression, or by plain text with literal. Gives path:line: text.',
  effect: 'reads',
  input: z.strictObject({
    pattern: z.string().min(1).max(1_000),
    literal: z.boolean().default(false),
    ignoreCase: z.boolean().default(false),
    path: z.string().max(1_000).optional().describe('Only below this folder'),
    glob: z.string().max(500).optional().describe('Only files that match, such as *.ts'),
  }),
  async run({ pattern, literal, ignoreCase, path, glob }, { sandbox, pace }) {
    await pace();
    const { matches, truncated, programMs } = await sandbox.searchText({
      pattern,
      fixed: literal,
      ignoreCase,
      ...(path !== undefined && { path }),
      ...(glob !== undefined && { glob }),
      maxResults,
      maxLineLength,
    });
    if (matches.length === 0) return { output: `Nothing matches ${pattern}.`, programMs };
    const lines = matches.map(({ path: file, line, text }) => `${showPath(file)}:${line}: ${text}`);
    const rest = truncated ? `\n(the first ${maxResults}; narrow the search)` : '';
    return { output: lines.join('\n') + rest, programMs };
  },
});
