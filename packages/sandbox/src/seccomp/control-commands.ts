// `ioctl` is hundreds of calls behind one name. All may be made but one family: commands of type 'X' that hand something
// in. They came from XFS and most file systems know some: RESVSP and ZERO_RANGE take the whole disk in an instant as
// fallocate does, UNRESVSP and ALLOCSP are of their kind, and FSSETXATTR makes a file count for another quota.
import type { ArgumentTest, ConditionalCall } from './profile.ts';

/** A command: two bits of direction, the size of what is handed over, a type, a number. The kernel reads 32 bits. */
const readCommands = 0x8000_0000;
const writeCommands = 0x4000_0000;
const typeAt = 8;
const typeBits = 8;
const xfsType = 'X'.charCodeAt(0);

/** There are only tests for what is equal, so that being another type is to differ in one bit, whichever. */
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
  reason: 'every command but those by which a file takes room that nobody has written to',
}));
