import { z } from 'zod';
import { cutBeforeToken } from '../calls/bound-output.ts';
import { defineTool, ToolFailure } from './tool.ts';

const pageCharacters = 30_000;

export const readOutput = defineTool({
  name: 'read_output',
  description:
    'Reads on in an output of which only both ends were shown: the part’s number and the offset stand where it was cut.',
  effect: 'reads',
  input: z.strictObject({
    part: z.int().positive().describe('The number of the part that gave it'),
    offset: z.int().min(0).default(0).describe('The first character'),
  }),
  async run({ part, offset }, { outputs }) {
    const whole = outputs.find(part);
    if (whole === undefined)
      throw new ToolFailure(`The whole output of part ${part} is not kept any more: make the call again.`);
    if (offset >= whole.length) throw new ToolFailure(`It has only ${whole.length} characters.`);
    const end = cutBeforeToken(whole, Math.min(offset + pageCharacters, whole.length));
    const rest = end < whole.length ? `; go on with offset ${end}` : '';
    return {
      output: `${whole.slice(offset, end)}\n(characters ${offset} to ${end} of ${whole.length}${rest})`,
    };
  },
});
