/**
 * `ioctl` is hundreds of calls behind one name. All are allowed except one family: commands of type 'X' with input. They
 * come from XFS, and most file systems support some: RESVSP and ZERO_RANGE allocate the whole disk at once, like fallocate;
 * UNRESVSP and ALLOCSP are similar; and FSSETXATTR charges a file to another quota.
 */
import type { ArgumentTest, ConditionalCall } from './profile.ts';

/** A command consists of two direction bits, the size of the argument, a type and a number: 32 bits in all. */
const readCommands = 0x8000_0000;
const writeCommands = 0x4000_0000;
const typeAt = 8;
const typeBits = 8;
const xfsType = 'X'.charCodeAt(0);

/** Only equality can be tested, so "another type" is expressed as a difference in at least one bit. */
const otherTypes = Array.from({ length: typeBits }, (_, bit): ArgumentTest => {
  const mask = 1 << (typeAt + bit);
  return { index: 1, mask, value: ~(xfsType << typeAt) & mask };
});

const otherDirections: ArgumentTest[] = [
  { index: 1, mask: readCommands, value: readCommands },
  { index: 1, mask: writeCommands, value: 0 },
];

export const controlCommands: ConditionalCall[] = [...otherTypes, ...otherDirections].map((test) => ({
  name: 'ioctl',
  tests: [test],
  reason: 'every command except those that allocate disk space without writing',
}));
