import { z } from 'zod';
import { cutBeforeToken } from '../calls/bound-output.ts';
import { defineTool, ToolFailure } from './tool.ts';

const pageCharacters = 30_000;

export const readOutput = defineTool({
  name: 'read_output',
  description:
    'Reads the missing text of an output of which only head and tail were shown. The part number and the offset are shown where the output was cut.',
  effect: 'reads',
  paths: 'none',
  input: z.strictObject({
    part: z.int().positive().describe('The number of the part whose output was cut'),
    offset: z.int().min(0).default(0).describe('Offset of the first character'),
  }),
  async run({ part, offset }, { outputs }) {
    const whole = outputs.find(part);
    if (whole === undefined)
      throw new ToolFailure(`The whole output of part ${part} is no longer available: make the call again.`);
    if (offset >= whole.length) throw new ToolFailure(`The output has only ${whole.length} characters.`);
    const end = cutBeforeToken(whole, Math.min(offset + pageCharacters, whole.length));
    const rest = end < whole.length ? `; continue with offset ${end}` : '';
    return {
      output: `${whole.slice(offset, end)}\n(characters ${offset} to ${end} of ${whole.length}${rest})`,
    };
  },
});
