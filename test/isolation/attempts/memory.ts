import { defaultSandboxLimits, type SandboxLimits } from '@fettle/sandbox';
import type { Attempt } from '../support/attempt.ts';
import { overLimit } from '../support/over-limit.ts';

const MEMORY: SandboxLimits = { ...defaultSandboxLimits, memoryBytes: 768 * 1024 ** 2 };

/** A control group takes it from those inside, one by one. */
const SOMEBODY_WAS_KILLED =
  'use POSIX; while ((my $ended = waitpid(-1, WNOHANG)) > 0) { if ($? & 127) { held("$ended was killed"); exit } }';

export const memory: Attempt[] = [
  overLimit('memory by one process', MEMORY, {
    sh: `if perl -e 'my @held; push @held, "x" x (1 << 20) for 1..1200; print "1200 MB\\n"' 2>&1; then echo out: 1200 MB
      else echo held: refused; fi`,
  }),
  overLimit('memory by many processes together', MEMORY, {
    perl: `for (1..6) { next if fork; my @held; push @held, "x" x (1 << 20) for 1..200; sleep $ENV{ISO_patience} + 5; exit }
      sleep $ENV{ISO_patience}; ${SOMEBODY_WAS_KILLED} out("1200 MB, and nobody minds");`,
  }),
  overLimit('memory in files that are nowhere (memfd)', MEMORY, {
    perl: `my $block = "x" x (1 << 20); my $name = "fill"; my @held;
      for (1..4) {
        my $fd = call("memfd_create", $name, 0);
        if ($fd < 0) { held($!); exit }
        for (1..256) { if (call("write", $fd, $block, 1 << 20) <= 0) { held($!); exit } }
      }
      sleep $ENV{ISO_patience}; out("1024 MB, and nobody minds");`,
  }),
  overLimit('memory in segments that nobody has attached', MEMORY, {
    perl: `my $block = "x" x (1 << 20); my @held;
      for (1..4) {
        my $id = shmget(0, 256 << 20, 01600);
        if (!defined $id) { held($!); last }
        push @held, $id;
        for (0..255) { shmwrite($id, $block, $_ << 20, 1 << 20) or do { held($!); last } }
      }
      if (@held == 4) { sleep $ENV{ISO_patience}; out("1024 MB, and nobody minds") }
      shmctl($_, 0, 0) for @held;`,
  }),
  overLimit('memory in sockets that nobody reads from', MEMORY, {
    perl: `use Socket; my $block = "x" x 65536; my @all;
      for (1..4) {
        next if fork;
        my @held;
        for (1..1500) {
          socketpair(my $here, my $there, AF_UNIX, SOCK_STREAM, 0) or last;
          $here->blocking(0); 1 while syswrite($here, $block); push @held, $here, $there;
        }
        sleep $ENV{ISO_patience} + 5; exit;
      }
      sleep $ENV{ISO_patience}; ${SOMEBODY_WAS_KILLED} out("about 1200 MB, and nobody minds");`,
  }),
];
