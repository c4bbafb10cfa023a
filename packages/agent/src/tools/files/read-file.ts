import { SandboxError } from '@fettle/sandbox';
import { z } from 'zod';
import { defineTool, ToolFailure } from '../tool.ts';
import { pathInput } from './path-input.ts';

const defaultLines = 2_000;

export const readFile = defineTool({
  name: 'read_file',
  description: `Reads a text file, with line numbers. Gives ${defaultLines} lines at a time; use offset and limit for more.`,
  effect: 'reads',
  input: z.strictObject({
    path: pathInput,
    offset: z.int().min(1).optional().describe('First line, counted from 1'),
    limit: z.int().min(1).max(10_000).optional().describe('How many lines'),
  }),
  async run({ path, offset = 1, limit = defaultLines }, { sandbox, limits, pace, mask }) {
    await pace();
    const { bytes } = await sandbox.readFile(path, { maxBytes: limits.readBytes }).catch(explainSize);
    if (bytes.subarray(0, 8_000).includes(0))
      return { output: `${path} is a binary file of ${bytes.length} bytes.` };
    if (bytes.length === 0) return { output: `${path} is empty.` };
    // All of it, and before it is numbered: a line of a key is known by those above it.
    const lines = mask(bytes.toString('utf8')).replace(/\n$/, '').split('\n');
    if (offset > lines.length)
      throw new ToolFailure(`${path} has only ${lines.length} lines; choose a smaller offset.`);
    const last = Math.min(offset + limit - 1, lines.length);
    const numbered = lines
      .slice(offset - 1, last)
      .map((line, index) => `${String(offset + index).padStart(6)}\t${line}`);
    const rest =
      last < lines.length
        ? `\n(lines ${offset} to ${last} of ${lines.length}; go on with offset ${last + 1})`
        : '';
    return { output: numbered.join('\n') + rest };
  },
});

function explainSize(error: unknown): never {
  if (!(error instanceof SandboxError) || error.code !== 'too_large') throw error;
  const advice = 'Find the place with search_text, or read a part with run_command (head, tail, sed -n).';
  throw new ToolFailure(`${error.message}. ${advice}`);
}
