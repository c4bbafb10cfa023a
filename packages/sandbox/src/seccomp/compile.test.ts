import { expect, test } from 'vitest';
import { compileSeccomp } from './compile.ts';
import { syscallNumbers } from './numbers.ts';
import { seccompProfile } from './profile.ts';

const machines = [
  ['x64', 0, 0xc000003e],
  ['arm64', 1, 0xc00000b7],
] as const;
const allow = 0x7fff0000;
const errno = (number: number) => 0x50000 | number;

/** Interprets the few instructions that the compiler uses, as the kernel does. */
function ask(program: Buffer, machine: number, call: number, args: number[] = []): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call, 0);
  data.writeUInt32LE(machine, 4);
  args.forEach((value, index) => {
    data.writeBigUInt64LE(BigInt(value), 16 + 8 * index);
  });
  let accumulator = 0;
  for (let at = 0; ; at++) {
    const [code, ifTrue, ifFalse] = [
      program.readUInt16LE(at * 8),
      program.readUInt8(at * 8 + 2),
      program.readUInt8(at * 8 + 3),
    ];
    const operand = program.readUInt32LE(at * 8 + 4);
    if (code === 0x20) accumulator = data.readUInt32LE(operand);
    else if (code === 0x54) accumulator = (accumulator & operand) >>> 0;
    else if (code === 0x15) at += accumulator === operand ? ifTrue : ifFalse;
    else if (code === 0x35) at += accumulator >= operand ? ifTrue : ifFalse;
    else if (code === 0x06) return operand;
    else throw new Error(`instruction ${code}`);
  }
}

test.each(machines)('on %s every call gets the verdict of the profile', (name, column, audit) => {
  const program = compileSeccomp(seccompProfile, name);
  const allowed = new Set(seccompProfile.allow.flatMap(({ names }) => names));
  const refused = new Map(seccompProfile.refuse.flatMap(({ names, errno: e }) => names.map((n) => [n, e])));
  const conditional = new Set(seccompProfile.conditional.map((each) => each.name));
  const names = new Map(Object.entries(syscallNumbers).map(([each, numbers]) => [numbers[column], each]));
  for (let number = 0; number < 600; number++) {
    const call = names.get(number) ?? '';
    if (conditional.has(call)) continue;
    const expected = allowed.has(call) ? allow : errno(refused.get(call) ?? 1);
    expect([call, ask(program, audit, number)]).toEqual([call, expected]);
  }
});

test.each(machines)('on %s arguments decide conditional calls', (name, column, audit) => {
  const program = compileSeccomp(seccompProfile, name);
  const answer = (call: string, ...args: number[]) =>
    ask(program, audit, syscallNumbers[call]?.[column] as number, args);
  expect(answer('clone', 0x11)).toBe(allow);
  expect(answer('clone', 0x10000000 | 0x11)).toBe(errno(1));
  expect(answer('socket', 1, 1, 0)).toBe(allow);
  expect(answer('socket', 2, 1 | 0o2000000, 6)).toBe(allow);
  expect(answer('socket', 10, 2, 0)).toBe(allow);
  expect(answer('socket', 2, 3, 1)).toBe(errno(1));
  expect(answer('socket', 17, 3, 0)).toBe(errno(1));
  expect(answer('socket', 40, 1, 0)).toBe(errno(1));
  expect(answer('mknodat', 0, 0, 0x1000 | 0o644)).toBe(allow);
  expect(answer('mknodat', 0, 0, 0x2000 | 0o644)).toBe(errno(1));
  expect(answer('shmget', 0, 16_383, 0)).toBe(allow);
  expect(answer('shmget', 0, 16_384, 0)).toBe(errno(1));
  expect(answer('shmget', 0, 2 ** 32, 0)).toBe(errno(1));
  expect(answer('shmget', 0, 2 ** 46, 0)).toBe(errno(1));
});

test.each(machines)('on %s an ioctl that allocates disk space is refused', (name, column, audit) => {
  const program = compileSeccomp(seccompProfile, name);
  const answer = (command: number) =>
    ask(program, audit, syscallNumbers.ioctl?.[column] as number, [1, command]);
  const taking = {
    resvsp: [0x40305828, 0x4030582a],
    unresvsp: [0x40305829, 0x4030582b],
    zeroRange: [0x40305839],
    allocsp: [0x4030580a, 0x40305824],
    fssetxattr: [0x401c5820],
    // The kernel ignores the upper half.
    disguised: [0x1_4030_582a, 0xffff_0000_0000 + 0x4030582a],
  };
  const harmless = {
    terminal: [0x5401, 0x5413, 0x541b, 0x5421, 0x5451],
    flags: [0x80086601, 0x40086602],
    fsgetxattr: [0x801c581f],
    clone: [0x40049409, 0x4020940d],
    nothing: [0],
  };
  for (const command of Object.values(taking).flat())
    expect([command, answer(command)]).toEqual([command, errno(1)]);
  for (const command of Object.values(harmless).flat())
    expect([command, answer(command)]).toEqual([command, allow]);
});

test('kills calls of another architecture or width', () => {
  const program = compileSeccomp(seccompProfile, 'x64');
  expect(ask(program, 0x40000003, 1)).toBe(0x80000000);
  expect(ask(program, 0xc000003e, 0x40000000 | 1)).toBe(errno(1));
  expect(() => compileSeccomp(seccompProfile, 'mips')).toThrow('mips');
});

test('every call of the profile has a number', () => {
  const all = [
    ...seccompProfile.allow.flatMap(({ names }) => names),
    ...seccompProfile.conditional.map(({ name }) => name),
    ...seccompProfile.refuse.flatMap(({ names }) => names),
  ];
  expect(all.filter((name) => !Object.hasOwn(syscallNumbers, name))).toEqual([]);
});
