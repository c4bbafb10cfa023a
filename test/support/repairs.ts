import { call, turn } from '@fettle/rehearsal';

/** The edit after which the test of `brokenSum` passes. */
export const repairSum = turn(
  call('edit_file', { path: 'sum.mjs', edits: [{ old: 'a - b', new: 'a + b' }] }),
);
