import { z } from 'zod';
import { defineTool, ToolFailure } from '../tool.ts';
import { pathInput } from './paths.ts';

export const writeFile = defineTool({
  name: 'write_file',
  description:
    'Writes a whole file, new or existing, and creates missing folders. To change a part of a file use edit_file.',
  effect: 'writes',
  paths: ({ path }) => [{ path, access: 'write' }],
  tokens: 'put back',
  input: z.strictObject({ path: pathInput, content: z.string() }),
  async run({ path, content }, { sandbox, limits, rateLimit }) {
    const bytes = Buffer.from(content, 'utf8');
    if (bytes.length > limits.writeBytes) {
      throw new ToolFailure(
        `The content has ${bytes.length} bytes, over the limit of ${limits.writeBytes} for one write. Write a shorter file, split it into several, or let a command generate it.`,
      );
    }
    await rateLimit();
    await sandbox.writeFile(path, bytes);
    return { output: `Wrote ${bytes.length} bytes to ${path}.` };
  },
});
