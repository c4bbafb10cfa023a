import { z } from 'zod';
import { cutBeforeToken } from '../../calls/bound-output.ts';
import { defineTool } from '../tool.ts';
import { showPath } from './show-path.ts';

const maxResults = 300;
const maxLineLength = 400;
/** What is taken of a line, so that a secret in it is whole when it is looked for. */
const takenLineLength = 2_000;

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
  async run({ pattern, literal, ignoreCase, path, glob }, { sandbox, pace, mayRead, mask }) {
    await pace();
    const { matches, truncated, programMs } = await sandbox.searchText({
      pattern,
      fixed: literal,
      ignoreCase,
      ...(path !== undefined && { path }),
      ...(glob !== undefined && { glob }),
      maxResults,
      maxLineLength: takenLineLength,
    });
    const shown = matches.filter((match) => mayRead(match.path));
    const hidden = matches.length - shown.length;
    const notes = [
      ...(hidden > 0 ? [`(${hidden} left out: they are in files that may not be read)`] : []),
      ...(truncated ? [`(the first ${maxResults}; narrow the search)`] : []),
    ];
    const texts = mask(shown.map(({ text }) => text).join('\n')).split('\n');
    const lines = shown.map(
      ({ path: file, line }, index) => `${showPath(file)}:${line}: ${cutLine(texts[index] ?? '')}`,
    );
    if (lines.length === 0) lines.push(`Nothing matches ${pattern}.`);
    return { output: [...lines, ...notes].join('\n'), programMs };
  },
});

function cutLine(text: string): string {
  return text.length <= maxLineLength
    ? text
    : text.slice(0, cutBeforeToken(text, maxLineLength)).toWellFormed();
}
