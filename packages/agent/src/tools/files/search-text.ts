import { z } from 'zod';
import { cutBeforeToken } from '../../calls/bound-output.ts';
import { defineTool } from '../tool.ts';
import { showPath } from './paths.ts';

const maxResults = 300;
const maxLineLength = 400;
/** Longer than the shown line, so that masking sees a secret at its end as a whole. */
const searchedLineLength = 2_000;

export const searchText = defineTool({
  name: 'search_text',
  description:
    'Searches file contents for a regular expression, or for plain text with literal. Returns path:line: text.',
  effect: 'reads',
  paths: ({ path }) => (path === undefined ? [] : [{ path, access: 'read' }]),
  input: z.strictObject({
    pattern: z.string().min(1).max(1_000),
    literal: z.boolean().default(false),
    ignoreCase: z.boolean().default(false),
    path: z.string().max(1_000).optional().describe('Only in this folder and its subfolders'),
    glob: z.string().max(500).optional().describe('Only files that match this glob, such as *.ts'),
  }),
  async run({ pattern, literal, ignoreCase, path, glob }, { sandbox, rateLimit, mayRead, mask }) {
    await rateLimit();
    const { matches, truncated, programMs } = await sandbox.searchText({
      pattern,
      fixed: literal,
      ignoreCase,
      ...(path !== undefined && { path }),
      ...(glob !== undefined && { glob }),
      maxResults,
      maxLineLength: searchedLineLength,
    });
    const shown = matches.filter((match) => mayRead(match.path));
    const hidden = matches.length - shown.length;
    const notes = [
      ...(hidden > 0 ? [describeHidden(hidden)] : []),
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

function describeHidden(count: number): string {
  return count === 1
    ? '(1 match left out: it is in a file that may not be read)'
    : `(${count} matches left out: they are in files that may not be read)`;
}

function cutLine(text: string): string {
  return text.length <= maxLineLength
    ? text
    : text.slice(0, cutBeforeToken(text, maxLineLength)).toWellFormed();
}
