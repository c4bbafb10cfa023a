import { z } from 'zod';
import { defineTool, ToolFailure } from '../tool.ts';
import { applyEdits } from './apply-edits.ts';
import { pathInput } from './paths.ts';

export const editFile = defineTool({
  name: 'edit_file',
  description:
    'Replaces exact text in a file. Each old text must occur exactly once in the file (or set all). Several edits are applied in order; if one does not match, none is applied.',
  effect: 'writes',
  paths: ({ path }) => [{ path, access: 'write' }],
  tokens: 'put back',
  input: z.strictObject({
    path: pathInput,
    edits: z
      .array(
        z.strictObject({
          old: z
            .string()
            .min(1)
            .describe('The exact text in the file, including white space, without line numbers'),
          new: z.string(),
          all: z.boolean().default(false).describe('Replace every occurrence'),
        }),
      )
      .min(1)
      .max(100),
  }),
  async run({ path, edits }, { sandbox, limits, rateLimit }) {
    await rateLimit();
    const { bytes } = await sandbox.readFile(path, { maxBytes: limits.readBytes });
    const before = bytes.toString('utf8');
    if (!Buffer.from(before, 'utf8').equals(bytes))
      throw new ToolFailure(`${path} is not UTF-8 text; edit_file cannot change it.`);
    const result = applyEdits(before, edits, limits.writeBytes);
    if (!result.ok) throw new ToolFailure(`Nothing was changed in ${path}: ${result.reason}`);
    const after = Buffer.from(result.text, 'utf8');
    if (after.length > limits.writeBytes) {
      throw new ToolFailure(
        `${path} would have ${after.length} bytes, over the limit of ${limits.writeBytes} for one write.`,
      );
    }
    await sandbox.writeFile(path, after);
    return {
      output: `Changed ${path} in ${result.replaced} ${result.replaced === 1 ? 'place' : 'places'}.`,
    };
  },
});
