import { randomBytes, randomInt } from 'node:crypto';
import { type Attempt, judgeLines, runProgram, type Stage, type Verdict } from '../support/attempt.ts';
import { startBeside } from '../support/beside.ts';
import type { Program } from '../support/program.ts';

/** What the neighbour has: a process, files, a socket without a path, shared memory. */
const NEIGHBOUR = `use Socket; $| = 1;
  my ($name, $key) = ($ENV{ISO_name}, $ENV{ISO_key});
  for ("/tmp/$name", "/dev/shm/$name") { open(my $file, ">", $_) or die $!; print $file "of the neighbour"; chmod 0666, $_ }
  socket(my $door, AF_UNIX, SOCK_STREAM, 0) or die; bind($door, pack("S a*", AF_UNIX, "\\0$name")) or die; listen($door, 5);
  my $shared = shmget($key, 4096, 01666) // die $!; shmwrite($shared, "of the neighbour", 0, 16);
  $SIG{TERM} = $SIG{USR1} = sub { print "signalled\\n" };
  print "ready $$ $name\\n"; sleep 1 for 1..300;`;
const LEAVE =
  'unlink "/tmp/$ENV{ISO_name}", "/dev/shm/$ENV{ISO_name}"; shmctl(shmget($ENV{ISO_key}, 0, 0), 0, 0);';

export const neighbours: Attempt[] = [
  beside('its process is seen', {
    perl: `my $seen = 0;
      for my $path (glob("/proc/[0-9]*/environ")) {
        next if $path =~ m{/$$/}; open(my $file, "<", $path) or next; local $/;
        if ((<$file> // "") =~ /ISO_role=neighbour\\0/) { out($path); exit }
      }
      held("no such process");`,
  }),
  beside('its process is signalled', {
    perl: `if (kill("USR1", $ENV{ISO_pid})) { out("signalled") } else { held($!) }`,
  }),
  beside('its files in the folder for temporary files', {
    perl: 'if (-e "/tmp/$ENV{ISO_name}") { out("there") } else { held($!) }',
  }),
  beside('its files in shared memory', {
    perl: 'if (-e "/dev/shm/$ENV{ISO_name}") { out("there") } else { held($!) }',
  }),
  beside('its socket without a path', {
    perl: `use Socket; socket(my $door, AF_UNIX, SOCK_STREAM, 0) or die;
      if (connect($door, pack("S a*", AF_UNIX, "\\0$ENV{ISO_name}"))) { out("open") } else { held($!) }`,
  }),
  beside('its shared memory by key', {
    perl: 'if (defined shmget($ENV{ISO_key}, 0, 0)) { out("there") } else { held($!) }',
  }),
  {
    name: 'the worker is signalled',
    onProcess: 'gets out',
    // A signal that a process without a handler takes no notice of.
    program: { perl: 'if (kill("CONT", $ENV{ISO_pids})) { out("signalled") } else { held($!) }' },
  },
  {
    name: 'all watches of files are taken, so that a neighbour gets none',
    onProcess: { skip: 'it would take those of this machine' },
    scenario: async ({ start, world }) => {
      const neighbour = await start();
      const taker = await start();
      const take =
        'my $n = 0; $n++ while $n < 3000 && call("inotify_init1", 0) >= 0; print "took $n\\n"; sleep 20;';
      const taking = await startBeside(taker, { perl: take });
      const test = 'if (call("inotify_init1", 0) >= 0) { held("one is left") } else { out($!) }';
      const verdict = judgeLines(await runProgram(neighbour, { perl: test }, world));
      await taking.stop();
      return verdict;
    },
  },
];

/** The program runs in one sandbox while the neighbour lives in another of the same backend. */
function beside(name: string, program: Program): Attempt {
  return { name, onProcess: 'gets out', scenario: (stage) => playBeside(stage, program) };
}

async function playBeside({ start, world }: Stage, program: Program): Promise<Verdict> {
  const facts = { name: `iso-${randomBytes(8).toString('hex')}`, key: String(randomInt(1, 2 ** 31 - 1)) };
  const [neighbour, intruder] = [await start(), await start()];
  const env = { ISO_name: facts.name, ISO_key: facts.key, ISO_role: 'neighbour' };
  const living = await startBeside(neighbour, { perl: NEIGHBOUR }, env);
  try {
    const [, pid] = /ready (\d+)/.exec(living.said()) ?? [];
    if (pid === undefined) throw new Error(`the neighbour did not start: ${living.said()}`);
    // Its number inside says nothing about it in another numbering; the highest that there can be will do there.
    const seen = neighbour.backend === 'process' ? pid : '4194303';
    const verdict = judgeLines(
      await runProgram(intruder, program, world, { facts: { ...facts, pid: seen } }),
    );
    return living.said().includes('signalled') ? 'the neighbour was signalled' : verdict;
  } finally {
    await living.stop();
    await neighbour.run({ argv: ['perl', '-e', LEAVE], env });
  }
}
