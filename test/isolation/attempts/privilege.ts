import type { Attempt } from '../support/attempt.ts';
import { foreignDoors } from './foreign-doors.ts';

const NOT_EVERYWHERE = { skip: 'not every kernel has it' };
const NEW_USER = 0x1000_0000;
const NEW_MOUNTS = 0x0002_0000;

/** Arguments that do no harm where the call is allowed: they are wrong, or change nothing but the program itself. */
type Call = [call: string, what: string, args: string, onProcess?: Attempt['onProcess']];
const CALLS: Call[] = [
  ['setns', 'another namespace', '-1, 0'],
  ['mount', 'mounting', '"none", "/nowhere/at/all", "tmpfs", 0, 0'],
  ['umount2', 'unmounting', '"/nowhere/at/all", 0'],
  ['fsopen', 'a file system by the newer calls', '"tmpfs", 0'],
  ['open_tree', 'a copy of the mounts', '-100, "/", 1'],
  ['move_mount', 'moving a mount', '-1, "", -1, "", 0'],
  ['mount_setattr', 'changing a mount', '-1, "", 0, 0, 0'],
  ['pivot_root', 'another root folder', '"/nowhere/at/all", "/nowhere/at/all"'],
  ['chroot', 'its own root folder', '"."'],
  ['keyctl', "the kernel's keyrings", '0, -3, 0'],
  ['add_key', 'a key in the kernel', '"user", "attempt", "x", 1, -2'],
  ['request_key', 'a key of somebody else', '"user", "attempt", 0, 0'],
  ['bpf', 'programs in the kernel', '9999, 0, 0'],
  ['io_uring_setup', 'io_uring', '1, 0', NOT_EVERYWHERE],
  ['io_setup', 'old asynchronous input and output', '1, 0', NOT_EVERYWHERE],
  ['perf_event_open', 'performance counters', '0, 0, -1, -1, 0', NOT_EVERYWHERE],
  ['userfaultfd', 'page faults', '0', NOT_EVERYWHERE],
  ['fanotify_init', 'watching a whole file system', '0, 0', NOT_EVERYWHERE],
  ['open_by_handle_at', 'files by number', '-100, pack("LLx64", 8, 1), 0'],
  ['kexec_load', 'another kernel', '0, 0, 0, 0xffff', NOT_EVERYWHERE],
  ['kexec_file_load', 'another kernel from a file', '-1, -1, 0, 0, 0xffff', NOT_EVERYWHERE],
  ['init_module', 'a module of the kernel', '0, 0, ""', NOT_EVERYWHERE],
  ['finit_module', 'a module from a file', '-1, "", 0', NOT_EVERYWHERE],
  ['delete_module', 'removing a module', '"no_such_module", 0', NOT_EVERYWHERE],
  ['reboot', 'the power switch', '0, 0, 0, 0'],
  ['swapon', 'swap space', '"/nowhere/at/all", 0', NOT_EVERYWHERE],
  ['acct', 'process accounting', '"/nowhere/at/all"', NOT_EVERYWHERE],
  ['sethostname', "the machine's name", '"x", -1'],
  ['settimeofday', "the machine's clock", '1, 0'],
  ['personality', 'a personality that undoes protections', '0x0400000'],
  ['process_vm_readv', "the toolbox's memory, read", 'getppid(), 0, 0, 0, 0, 0'],
  ['process_vm_writev', "the toolbox's memory, written", 'getppid(), 0, 0, 0, 0, 0'],
  ['process_madvise', "advice on the toolbox's memory", '-1, 0, 0, 0, 0', NOT_EVERYWHERE],
  ['ptrace', 'tracing the toolbox', '0x4206, getppid(), 0, 0'],
  ['ptrace', 'tracing the first process', '0x4206, 1, 0, 0', { skip: "it is the machine's own" }],
  ['unshare', 'a user namespace by unshare', String(NEW_USER)],
  ['unshare', 'a mount namespace by unshare', String(NEW_MOUNTS)],
  ['clone3', 'namespaces by clone3', '0, 0'],
  ...(process.arch === 'x64' ? ([['iopl', 'the ports of the hardware', '3', NOT_EVERYWHERE]] as Call[]) : []),
];

export const privilege: Attempt[] = [
  ...CALLS.map(
    ([call, what, args, onProcess = 'gets out as root']): Attempt => ({
      name: `${what} (${call})`,
      onProcess,
      program: { perl: `refused("${call}", ${args});` },
    }),
  ),
  {
    name: 'a user namespace by clone',
    onProcess: 'gets out as root',
    program: {
      perl: `my $child = call("clone", ${NEW_USER} | 17, 0, 0, 0, 0);
        my $error = "$!";
        if ($child == 0) { require POSIX; POSIX::_exit(0) }
        if ($child > 0) { waitpid($child, 0); out("a child in one") } else { held($error) }`,
    },
  },
  {
    name: "the toolbox's stream, taken from it (pidfd_getfd)",
    onProcess: 'gets out as root',
    program: {
      perl: 'my $process = call("pidfd_open", getppid(), 0); refused("pidfd_getfd", $process, 1, 0);',
    },
  },
  {
    name: 'the number of root, by setuid and by the programs that have the bit',
    onProcess: 'gets out as root',
    program: {
      sh: `cp /bin/sh "$TMPDIR/shell" && chmod 6755 "$TMPDIR/shell"
        for user in "$("$TMPDIR/shell" -p -c 'id -u')" "$(su -c 'id -u' root </dev/null 2>&1)" \\
          "$(perl -e '$< = $> = 0; print $>')"; do
          if [ "$user" = 0 ]; then echo "out: uid 0"; else echo "held: $user"; fi
        done`,
    },
  },
  {
    name: 'mounting by the program that has the bit',
    onProcess: 'gets out as root',
    program: {
      sh: `mkdir -p "$TMPDIR/mounted"
        if mount -t tmpfs -o size=4k none "$TMPDIR/mounted" 2>&1; then echo out: mounted; umount "$TMPDIR/mounted"
        else echo held: refused; fi`,
    },
  },
  {
    name: 'capabilities, and the way to get new ones',
    onProcess: 'gets out as root',
    program: {
      sh: `while read -r name value; do case $name in
          CapInh:|CapPrm:|CapEff:|CapBnd:|CapAmb:) case $value in
            0000000000000000) echo "held: $name none";; *) echo "out: $name $value";; esac;;
          NoNewPrivs:) if [ "$value" = 1 ]; then echo "held: no new ones"; else echo "out: new ones may come"; fi;;
          Seccomp:) if [ "$value" = 2 ]; then echo "held: filtered"; else echo "out: no filter"; fi;;
        esac; done < /proc/self/status`,
    },
  },
  {
    // A process that can write another's memory has its rights, so no visible process may have more rights than this one.
    name: 'the rights of any other process that it can see',
    onProcess: { skip: 'it would look at every process of this machine' },
    program: {
      node({ fs, pids, out, held }) {
        for (const pid of pids) {
          const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
          const more = status
            .split('\n')
            .filter((line) => /^Cap.*:\s.*[1-9a-f]|^(NoNewPrivs|Seccomp):\s0/.test(line));
          if (more.length > 0) out(`process ${pid}: ${more}`);
          else held(`process ${pid} has none`);
        }
      },
    },
  },
  {
    name: 'typing on a terminal that is not its own (TIOCSTI)',
    onProcess: { skip: 'there may be no terminal' },
    program: {
      perl: `my @ttys = ("/dev/tty", "/dev/console", glob("/dev/tty[0-9]*"), glob("/dev/pts/[0-9]*"));
        push @ttys, map { "/proc/self/fd/$_" } 0..2;
        for (@ttys) {
          open(my $tty, "+<", $_) or held("$_: $!"), next;
          my $key = " ";
          if (ioctl($tty, 0x5412, $key)) { out($_) } else { held("$_: $!") }
        }`,
    },
  },
  ...foreignDoors,
];
