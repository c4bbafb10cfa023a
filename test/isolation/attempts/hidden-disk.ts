// Disk that no walk through the folders finds. Bounded, should nothing hold it, and gone with its program.
import type { Attempt } from '../attempt.ts';

export const hiddenDisk: Attempt[] = [
  {
    name: 'the disk with room that nobody has written to (RESVSP)',
    onProcess: 'gets out',
    program: {
      // Beyond the file's end, so that its size stays 0.
      perl: `open(my $file, "+>", "$ENV{TMPDIR}/reserve") or die; unlink "$ENV{TMPDIR}/reserve";
        for my $command (0x40305828, 0x4030582a, 0x40305839) {
          my $room = pack("ssx4qqlLl4", 0, 0, 0, 100 << 20, 0, 0, 0, 0, 0, 0);
          if (ioctl($file, $command, $room)) { out(sprintf("%x took %d blocks", $command, (stat $file)[12])) }
          else { held(sprintf("%x: $!", $command)) }
        }`,
    },
  },
  {
    name: 'another quota for a file (FSSETXATTR)',
    onProcess: { skip: 'not every file system has it' },
    program: {
      perl: `open(my $file, "+>", "$ENV{TMPDIR}/attributes") or die; unlink "$ENV{TMPDIR}/attributes";
        my $attributes = "\\0" x 28; ioctl($file, 0x801c581f, $attributes);
        if (ioctl($file, 0x401c5820, $attributes)) { out("set as they were") } elsif ($! == 1) { held($!) } else { out("tried: $!") }`,
    },
  },
];
