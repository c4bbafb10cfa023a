import { SandboxError } from '@fettle/sandbox';
import { z } from 'zod';
import { defineTool, ToolFailure } from '../tool.ts';
import { pathInput } from './paths.ts';

const defaultLines = 2_000;

export const readFile = defineTool({
  name: 'read_file',
  description: `Reads a text file, with line numbers. Returns ${defaultLines} lines at a time; use offset and limit for more.`,
  effect: 'reads',
  paths: ({ path }) => [{ path, access: 'read' }],
  input: z.strictObject({
    path: pathInput,
    offset: z.int().min(1).optional().describe('First line, starting at 1'),
    limit: z.int().min(1).max(10_000).optional().describe('Number of lines'),
  }),
  async run({ path, offset = 1, limit = defaultLines }, { sandbox, limits, rateLimit, mask }) {
    await rateLimit();
    const { bytes } = await sandbox.readFile(path, { maxBytes: limits.readBytes }).catch(explainSize);
    if (bytes.subarray(0, 8_000).includes(0))
      return { output: `${path} is a binary file of ${bytes.length} bytes.` };
    if (bytes.length === 0) return { output: `${path} is empty.` };
    // Mask the whole text before adding line numbers: a line of a key is recognised by the lines above it.
    const lines = mask(bytes.toString('utf8')).replace(/\n$/, '').split('\n');
    if (offset > lines.length)
      throw new ToolFailure(`${path} has only ${lines.length} lines; choose a smaller offset.`);
    const last = Math.min(offset + limit - 1, lines.length);
    const numbered = lines
      .slice(offset - 1, last)
      .map((line, index) => `${String(offset + index).padStart(6)}\t${line}`);
    const rest =
      last < lines.length
        ? `\n(lines ${offset} to ${last} of ${lines.length}; continue with offset ${last + 1})`
        : '';
    return { output: numbered.join('\n') + rest };
  },
});

function explainSize(error: unknown): never {
  if (!(error instanceof SandboxError) || error.code !== 'too_large') throw error;
  const advice = 'Find the lines with search_text, or read a part with run_command (head, tail, sed -n).';
  throw new ToolFailure(`${error.message}. ${advice}`);
}
