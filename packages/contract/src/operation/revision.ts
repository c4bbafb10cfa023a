/** A revision: the work on changes to a proposal that a person requests. It adds one commit to the pull request. */
import { z } from 'zod';
import { prose } from './request.ts';

export const changesInputSchema = z.strictObject({
  message: prose(10_000).describe('What to change'),
});
export type ChangesInput = z.infer<typeof changesInputSchema>;
