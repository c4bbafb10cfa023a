// Disk that is hard to find. Bounded, should nothing hold it, and gone with its program.
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultSandboxLimits, type SandboxLimits } from '@fettle/sandbox';
import type { Attempt, Stage, Verdict } from '../support/attempt.ts';
import { hiddenFromBroker, overLimit } from '../support/over-limit.ts';

const MB = 1024 ** 2;
const DISK: SandboxLimits = { ...defaultSandboxLimits, diskBytes: 64 * MB };
const BLOCK = 'my $block = "x" x (1 << 20);';

export const hiddenDisk: Attempt[] = [
  whileOthersFree(
    400 * MB,
    overLimit('the disk with less than others give back meanwhile', DISK, {
      perl: `${BLOCK} for my $n (1..10) { open(my $file, ">", "$ENV{TMPDIR}/fill$n"); print $file $block for 1..30; close $file }
        sleep $ENV{ISO_patience}; out("300 MB, and nobody minds");`,
    }),
  ),
  {
    ...overLimit('the disk with removed files that are only mapped', DISK, {
      perl: `${BLOCK} for my $n (1..10) {
            open(my $file, "+>", "$ENV{TMPDIR}/fill"); unlink "$ENV{TMPDIR}/fill";
            print $file $block; $file->flush;
            call("mmap", 0, 4096, 1, 1, fileno($file), 0) > 0 or die;
            print $file $block for 1..29; close $file;
          }
          sleep $ENV{ISO_patience}; out("300 MB, and nobody minds");`,
    }),
    notPromised: hiddenFromBroker,
  },
  {
    ...overLimit('the disk with removed files whose handles are under way in a socket', DISK, {
      perl: `use Socket; ${BLOCK} my @sockets;
          for my $n (1..10) {
            open(my $file, ">", "$ENV{TMPDIR}/fill"); unlink "$ENV{TMPDIR}/fill";
            print $file $block for 1..30; $file->flush;
            socketpair(my $here, my $there, AF_UNIX, SOCK_STREAM, 0); push @sockets, $here, $there;
            my $byte = "x"; my $piece = pack("PQ", $byte, 1); my $rights = pack("Qlllx4", 20, 1, 1, fileno($file));
            my $message = pack("QLx4PQPQlx4", 0, 0, $piece, 1, $rights, 24, 0);
            call("sendmsg", fileno($here), $message, 0) == 1 or die "broken: $!\\n";
            close $file;
          }
          sleep $ENV{ISO_patience}; out("300 MB, and nobody minds");`,
    }),
    notPromised: hiddenFromBroker,
  },
  {
    ...overLimit('the disk with removed files that are handed on faster than anybody looks', DISK, {
      // The heirs are below the eldest child, which is looked at after all the handles of the others.
      perl: `${BLOCK} my $end = time + 2 + $ENV{ISO_patience};
        if (!fork) {
          call("prctl", 36, 1, 0, 0, 0) == 0 or die; $SIG{CHLD} = "IGNORE";
          if (fork) { sleep 1 while time < $end; exit }
          my ($hops, @files) = (0);
          while (time < $end) {
            my $heir = fork; next unless defined $heir; exit if $heir;
            select(undef, undef, undef, 0.001); next if ++$hops > 300;
            if ($hops % 30 == 1) { open(my $file, ">", "$ENV{TMPDIR}/fill"); unlink "$ENV{TMPDIR}/fill"; push @files, $file }
            syswrite($files[-1], $block);
          }
          exit;
        }
        for (1..20) { if (!fork) { my @many; for (1..1000) { open(my $one, "<", "/dev/null"); push @many, $one } sleep 1 while time < $end; exit } }
        sleep 1 while time < $end; out("300 MB, and nobody minds");`,
    }),
    notPromised: (backend) =>
      backend.name === 'bubblewrap' && process.getuid?.() !== 0
        ? 'only root can hold a sandbox still'
        : hiddenFromBroker(backend),
  },
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

/** Others have taken that much before the sandbox starts, and give it back before it does anything. */
function whileOthersFree(bytes: number, attempt: ReturnType<typeof overLimit>): Attempt {
  async function scenario(stage: Stage): Promise<Verdict> {
    const ballast = join(stage.world.sandboxes, `ballast-${randomBytes(6).toString('hex')}`);
    // Not zeros alone: some file systems would not store them.
    for (let done = 0; done < bytes; done += 16 * MB)
      writeFileSync(ballast, randomBytes(16 * MB), { flag: 'a' });
    try {
      return await attempt.scenario({
        ...stage,
        async start(limits) {
          const sandbox = await stage.start(limits);
          await sandbox.run({ argv: ['sleep', '3'] });
          rmSync(ballast, { force: true });
          return sandbox;
        },
      });
    } finally {
      rmSync(ballast, { force: true });
    }
  }
  return { ...attempt, scenario };
}
