// Bounded, should nothing hold them: a few hundred megabytes, a few hundred processes, gone when the attempt is over.
import { defaultSandboxLimits, type SandboxLimits } from '@fettle/sandbox';
import { type Attempt, judgeLines, runProgram } from '../support/attempt.ts';
import { goesOn } from '../support/clear-end.ts';
import { expectEnd, hiddenFromBroker, overLimit } from '../support/over-limit.ts';
import { hiddenDisk } from './hidden-disk.ts';
import { memory } from './memory.ts';

const MB = 1024 ** 2;
const DISK: SandboxLimits = { ...defaultSandboxLimits, diskBytes: 64 * MB };
const BLOCK = 'my $block = "x" x (1 << 20);';

export const filling: Attempt[] = [
  overLimit('the disk with files', DISK, {
    perl: `${BLOCK} for my $n (1..10) { open(my $file, ">", "$ENV{TMPDIR}/fill$n"); print $file $block for 1..30; close $file }
      sleep $ENV{ISO_patience}; out("300 MB, and nobody minds");`,
  }),
  overLimit('the disk with files in /tmp', DISK, {
    perl: `${BLOCK} for my $n (1..10) { open(my $file, ">", "/tmp/fill$n-$$"); print $file $block for 1..30; close $file }
      my $sum = 0; $sum += -s $_ for glob("/tmp/fill*-$$"); if ($sum < 100 << 20) { held("$sum bytes"); exit }
      sleep $ENV{ISO_patience}; out("300 MB, and nobody minds"); unlink glob("/tmp/fill*-$$");`,
  }),
  {
    ...overLimit('the disk with files that have no name any more', DISK, {
      perl: `${BLOCK} my @files;
        for my $n (1..10) {
          open(my $file, ">", "$ENV{TMPDIR}/fill"); unlink "$ENV{TMPDIR}/fill";
          print $file $block for 1..30; $file->flush; push @files, $file;
        }
        sleep $ENV{ISO_patience}; out("300 MB, and nobody minds");`,
    }),
    notPromised: hiddenFromBroker,
  },
  {
    ...overLimit('the disk with files that never had a name (O_TMPFILE)', DISK, {
      perl: `use Fcntl; ${BLOCK} my @files;
        for my $n (1..10) {
          sysopen(my $file, $ENV{TMPDIR}, 020200000 | O_RDWR, 0600) or do { held($!); exit };
          syswrite($file, $block) for 1..30; push @files, $file;
        }
        sleep $ENV{ISO_patience}; out("300 MB, and nobody minds");`,
    }),
    notPromised: hiddenFromBroker,
  },
  {
    ...overLimit('the disk in a folder that cannot be entered', DISK, {
      perl: `${BLOCK} mkdir "$ENV{TMPDIR}/shut"; chdir "$ENV{TMPDIR}/shut";
        for my $n (1..10) { open(my $file, ">", "fill$n"); print $file $block for 1..30; close $file; chmod 0, "../shut" if $n == 10 }
        chmod 0700, "../shut" if $> == 0; sleep $ENV{ISO_patience}; out("300 MB, and nobody minds");`,
    }),
    notPromised: hiddenFromBroker,
  },
  overLimit('the disk with one file', DISK, {
    perl: `${BLOCK} $SIG{XFSZ} = "IGNORE"; open(my $file, ">", "$ENV{TMPDIR}/fill"); $| = 1; my $n = 0;
      for (1..300) { last unless syswrite($file, $block); $n++ }
      if ($n > 100) { out("$n MB in one file") } else { held("$n MB: $!") }`,
  }),
  overLimit('the file system with empty files', DISK, {
    perl: `for my $folder (1..40) {
        mkdir "$ENV{TMPDIR}/many$folder";
        for (1..1000) { open(my $file, ">", "$ENV{TMPDIR}/many$folder/$_") or held($!), exit }
      }
      sleep $ENV{ISO_patience}; out("40000 files, and nobody minds");`,
  }),
  ...hiddenDisk,
  ...memory,
  {
    name: 'shared memory',
    onProcess: 'gets out',
    program: {
      perl: `my $path = "/dev/shm/fill-$$"; my $n = 0; my $block = "x" x (1 << 20);
        open(my $file, ">", $path) or do { held($!); exit };
        for (1..100) { last unless syswrite($file, $block); $n++ }
        if ($n > 65) { out("$n MB") } else { held("$n MB: $!") }
        unlink $path;`,
    },
  },
  {
    name: 'processes',
    onProcess: 'gets out',
    scenario: async ({ start, world }) => {
      const sandbox = await start({ ...defaultSandboxLimits, processes: 64 });
      const bomb = `my @children; for (1..400) { my $child = fork; last unless defined $child; if (!$child) { sleep 60; exit } push @children, $child }
        my $count = @children; if ($count > 64) { out("$count processes") } else { held("$count: $!") }
        kill("KILL", $_) for @children;`;
      const verdict = judgeLines(await runProgram(sandbox, { perl: bomb }, world));
      return verdict === 'held' ? goesOn(sandbox) : verdict;
    },
  },
  {
    name: 'processes, by one that never stops',
    onProcess: { skip: 'it is held by no limit there' },
    scenario: async ({ start }) => {
      const sandbox = await start({ ...defaultSandboxLimits, processes: 64 });
      // Each ends by itself after a while, should nothing end it before.
      const bomb = 'use POSIX; my $end = time + 40; while (time < $end) { setsid() if defined fork }';
      await sandbox.run({ argv: ['perl', '-e', bomb], timeoutMs: 3000 }).catch(expectEnd);
      return (await goesOn(sandbox)) === 'held' ? 'held' : goesOn(await start());
    },
  },
  {
    name: 'open files',
    onProcess: { skip: 'the machine has its own limit' },
    program: {
      perl: `my @files; while (@files < 20000) { open(my $file, "<", "/dev/null") or last; push @files, $file }
        my $count = @files; if ($count > 4096) { out("$count files") } else { held("$count: $!") }`,
    },
  },
  {
    name: 'the output of a command',
    onProcess: 'held',
    scenario: async ({ start }) => {
      const sandbox = await start();
      const before = process.memoryUsage().rss;
      const { output, omittedBytes } = await sandbox.run({
        command: 'head -c 200000000 /dev/zero; echo end',
      });
      const grown = (process.memoryUsage().rss - before) / MB;
      if (output.length > 200_000 || !output.endsWith('end\n')) return `${output.length} characters came`;
      if (omittedBytes < 190_000_000) throw new Error(`only ${omittedBytes} bytes were left out`);
      return grown > 150 ? `the worker has grown by ${grown} MB` : 'held';
    },
  },
  {
    name: 'the disk with what cannot be cleared away: deep, long, shut and odd',
    // That nothing is left of it is looked at when all attempts are over.
    onProcess: 'held',
    scenario: async ({ start }) => {
      const sandbox = await start();
      const maze = `my $name = "d" x 250; for (1..2000) { mkdir $name or last; chdir $name or last }
        chdir "$ENV{HOME}"; mkdir "shut"; mkdir "shut/in"; mkdir "shut/in/side"; chmod 0, "shut/in/side", "shut/in", "shut";
        symlink "/", "root"; symlink "loop", "loop"; mkdir "\\n\\xff -rf"; system("mkfifo", "pipe"); chmod 0, $ENV{HOME}; chmod 0, "..";
        print "made\\n";`;
      const { output } = await sandbox.run({ argv: ['perl', '-e', maze] });
      if (!output.includes('made')) throw new Error(output);
      await sandbox.close();
      return 'held';
    },
  },
];
