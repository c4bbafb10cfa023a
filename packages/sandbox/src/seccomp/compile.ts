/**
 * Compiles the profile to a BPF program, for bubblewrap. `struct sock_filter` is u16 code, u8 jump if true, u8 jump if false,
 * u32 operand. Jumps are numbers of instructions to skip.
 */
import { syscallNumbers } from './numbers.ts';
import type { ArgumentTest, ConditionalCall, SeccompProfile } from './profile.ts';

interface Instruction {
  code: number;
  operand: number;
  ifTrue?: number;
  ifFalse?: number;
}

const loadOp = 0x20;
const andOp = 0x54;
const jumpEqual = 0x15;
const jumpAtLeast = 0x35;
const returnOp = 0x06;

const allowAction = 0x7fff_0000;
const errnoAction = 0x0005_0000;
const killProcess = 0x8000_0000;

/** Offsets in `struct seccomp_data`. */
const numberAt = 0;
const machineAt = 4;
const argumentsAt = 16;
const half = 2 ** 32;

const machines = {
  x64: { column: 0, audit: 0xc000_003e, firstForeign: 0x4000_0000 },
  arm64: { column: 1, audit: 0xc000_00b7, firstForeign: undefined },
} as const;

export function compileSeccomp(profile: SeccompProfile, machine: string): Buffer {
  if (machine !== 'x64' && machine !== 'arm64') throw new Error(`there is no seccomp filter for ${machine}`);
  const { column, audit, firstForeign } = machines[machine];
  const numbersOf = (names: string[]) =>
    names.map((name) => syscallNumbers[name]?.[column]).filter((number) => number != null);
  const refusal = errnoAction | profile.refusalErrno;
  return encode([
    { code: loadOp, operand: machineAt },
    { code: jumpEqual, operand: audit, ifTrue: 1 },
    { code: returnOp, operand: killProcess },
    { code: loadOp, operand: numberAt },
    // Calls of another width (x32, i386) have other numbers and arguments.
    ...(firstForeign === undefined ? [] : [atLeast(firstForeign, 0, 1), verdict(refusal)]),
    ...joinRanges(numbersOf(profile.allow.flatMap(({ names }) => names))).flatMap(([first, last]) => [
      atLeast(last + 1, 2, 0),
      atLeast(first, 0, 1),
      verdict(allowAction),
    ]),
    ...profile.refuse.flatMap(({ names, errno }) =>
      numbersOf(names).flatMap((number) => [equal(number, 0, 1), verdict(errnoAction | errno)]),
    ),
    ...Object.entries(groupByName(profile.conditional)).flatMap(([name, entries]) =>
      numbersOf([name]).flatMap((number) => {
        const body = [...entries.flatMap(({ tests }) => checkAll(tests)), verdict(refusal)];
        return [equal(number, 0, body.length), ...body];
      }),
    ),
    verdict(refusal),
  ]);
}

/** Returns ALLOW when all tests hold; otherwise continues with the next rule. */
function checkAll(tests: ArgumentTest[]): Instruction[] {
  const halves = tests.flatMap(splitInHalves);
  return halves.flatMap(({ at, mask, value }, place) => {
    const left = (halves.length - 1 - place) * 3 + 1;
    return [
      { code: loadOp, operand: at },
      { code: andOp, operand: mask },
      equal(value, 0, left),
      ...(place === halves.length - 1 ? [verdict(allowAction)] : []),
    ];
  });
}

/** BPF has 32-bit registers, so an argument is compared in two halves. */
function splitInHalves({ index, mask, value }: ArgumentTest) {
  const at = argumentsAt + 8 * index;
  const low = { at, mask: mask % half, value: value % half };
  const high = { at: at + 4, mask: Math.floor(mask / half), value: Math.floor(value / half) };
  return high.mask === 0 ? [low] : [low, high];
}

function groupByName(calls: ConditionalCall[]): Record<string, ConditionalCall[]> {
  return Object.groupBy(calls, ({ name }) => name) as Record<string, ConditionalCall[]>;
}

function joinRanges(numbers: number[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && number <= last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}

const verdict = (operand: number): Instruction => ({ code: returnOp, operand });
const equal = (operand: number, ifTrue: number, ifFalse: number): Instruction => ({
  ...{ code: jumpEqual, operand, ifTrue, ifFalse },
});
const atLeast = (operand: number, ifTrue: number, ifFalse: number): Instruction => ({
  ...{ code: jumpAtLeast, operand, ifTrue, ifFalse },
});

function encode(instructions: Instruction[]): Buffer {
  const bytes = Buffer.alloc(instructions.length * 8);
  instructions.forEach(({ code, operand, ifTrue = 0, ifFalse = 0 }, index) => {
    bytes.writeUInt16LE(code, index * 8);
    // Throws if a jump does not fit into a byte, as it might in a larger profile.
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(operand >>> 0, index * 8 + 4);
  });
  return bytes;
}
