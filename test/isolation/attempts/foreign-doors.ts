// The kernel of a 64-bit machine has other doors, with other numbers; a filter that knows one of them only is none.
import type { Attempt } from '../support/attempt.ts';

const NOT_EVERYWHERE = { skip: 'not every kernel has it' };

/** unshare(CLONE_NEWUSER) by the 32-bit door, the error as exit code. */
const CODE = [
  ...[0xb8, 0x36, 0x01, 0x00, 0x00], // mov eax, 310
  ...[0xbb, 0x00, 0x00, 0x00, 0x10], // mov ebx, CLONE_NEWUSER
  ...[0xcd, 0x80], // int 0x80
  ...[0xf7, 0xd8], // neg eax
  ...[0x89, 0xc7], // mov edi, eax
  ...[0xb8, 0xe7, 0x00, 0x00, 0x00], // mov eax, exit_group
  ...[0x0f, 0x05], // syscall
];

/** A whole program: the header of the file, that of its one segment, the code. */
function makeElf(code: number[]): Buffer {
  const at = 0x400000;
  const elf = Buffer.alloc(120);
  elf.write('\x7fELF', 'latin1');
  elf.set([2, 1, 1], 4);
  elf.writeUInt16LE(2, 16);
  elf.writeUInt16LE(62, 18);
  elf.writeUInt32LE(1, 20);
  elf.writeBigUInt64LE(BigInt(at + 120), 24);
  elf.writeBigUInt64LE(64n, 32);
  elf.set([64, 0, 56, 0, 1, 0], 52);
  elf.writeUInt32LE(1, 64);
  elf.writeUInt32LE(5, 68);
  elf.writeBigUInt64LE(BigInt(at), 80);
  elf.writeBigUInt64LE(BigInt(at), 88);
  elf.writeBigUInt64LE(BigInt(120 + code.length), 96);
  elf.writeBigUInt64LE(BigInt(120 + code.length), 104);
  elf.writeBigUInt64LE(0x1000n, 112);
  return Buffer.concat([elf, Buffer.from(code)]);
}

export const foreignDoors: Attempt[] =
  process.arch !== 'x64'
    ? []
    : [
        {
          name: 'a user namespace by the 32-bit door',
          onProcess: NOT_EVERYWHERE,
          program: {
            perl: `my $path = "$ENV{TMPDIR}/door";
              open(my $file, ">", $path) or die; binmode $file;
              print $file pack("H*", "${makeElf(CODE).toString('hex')}"); close $file;
              chmod 0755, $path; system($path);
              my ($signal, $code) = ($? & 127, $? >> 8);
              if ($signal || $code == 1 || $code == 38) { held("signal $signal, error $code") } else { out("error $code") }`,
          },
        },
        {
          name: 'a user namespace by the door for 32-bit addresses',
          onProcess: NOT_EVERYWHERE,
          // A filter may kill the process.
          program: {
            perl: `$N{x32} = 0x40000000 + $N{unshare}; my $child = fork;
              if (!$child) { refused("x32", 0x10000000); exit }
              waitpid($child, 0); held("killed by " . ($? & 127)) if $? & 127;`,
          },
        },
      ];
