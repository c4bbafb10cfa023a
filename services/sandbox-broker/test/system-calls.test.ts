/** The seccomp profile on the real engine and kernel. Calls are made by number, because libraries might use other calls. */
import { expect, test } from 'vitest';
import { connectTestEngine } from '../src/testing/on-engine.ts';
import { openTestSandbox, startTestBroker } from '../src/testing/test-broker.ts';
import { describeWithEngine } from '../src/testing/test-engine.ts';

const eperm = 1;
const enosys = 38;
const eopnotsupp = 95;

/** The number on x86-64, the arguments, and the expected error. */
const refused: Record<string, [number, number[], number]> = {
  'clone with a user namespace': [56, [0x1000_0011, 0, 0, 0, 0], eperm],
  'clone with a network namespace': [56, [0x4000_0011, 0, 0, 0, 0], eperm],
  clone3: [435, [0, 0], enosys],
  'unshare with a user namespace': [272, [0x1000_0000], eperm],
  'unshare of open files': [272, [0x400], eperm],
  setns: [308, [0, 0], eperm],
  mount: [165, [0, 0, 0, 0, 0], eperm],
  umount2: [166, [0, 0], eperm],
  pivot_root: [155, [0, 0], eperm],
  chroot: [161, [0], eperm],
  open_tree: [428, [0, 0, 0], eperm],
  fsopen: [430, [0, 0], eperm],
  ptrace: [101, [0, 0, 0, 0], eperm],
  process_vm_readv: [310, [1, 0, 0, 0, 0, 0], eperm],
  process_vm_writev: [311, [1, 0, 0, 0, 0, 0], eperm],
  pidfd_getfd: [438, [0, 0, 0], eperm],
  kcmp: [312, [1, 1, 0, 0, 0], eperm],
  add_key: [248, [0, 0, 0, 0, 0], eperm],
  request_key: [249, [0, 0, 0, 0], eperm],
  keyctl: [250, [0, 0, 0, 0, 0], eperm],
  bpf: [321, [0, 0, 0], eperm],
  perf_event_open: [298, [0, 0, 0, 0, 0], eperm],
  io_uring_setup: [425, [1, 0], enosys],
  io_uring_enter: [426, [0, 0, 0, 0, 0, 0], enosys],
  io_setup: [206, [1, 0], enosys],
  userfaultfd: [323, [0], enosys],
  vmsplice: [278, [0, 0, 0, 0], eperm],
  open_by_handle_at: [304, [0, 0, 0], eperm],
  quotactl: [179, [0, 0, 0, 0], eperm],
  kexec_load: [246, [0, 0, 0, 0], eperm],
  init_module: [175, [0, 0, 0], eperm],
  finit_module: [313, [0, 0, 0], eperm],
  settimeofday: [164, [0, 0], eperm],
  sethostname: [170, [0, 0], eperm],
  syslog: [103, [3, 0, 0], eperm],
  swapon: [167, [0, 0], eperm],
  reboot: [169, [0, 0, 0, 0], eperm],
  fanotify_init: [300, [0, 0], eperm],
  modify_ldt: [154, [0, 0, 0], eperm],
  'personality of an old system': [135, [0x0040_0000], eperm],
  'a packet socket': [41, [17, 3, 0], eperm],
  'a raw socket': [41, [2, 3, 1], eperm],
  'a socket of the kernel’s cryptography': [41, [38, 5, 0], eperm],
  'a socket to the hypervisor': [41, [40, 1, 0], eperm],
  'a netlink socket for netfilter': [41, [16, 3, 12], eperm],
  'an SCTP socket': [41, [2, 1, 132], eperm],
  'an internet socket pair': [53, [2, 1, 0, 0], eperm],
  'a block device': [133, [0, 0x6180, 0x100], eperm],
  fallocate: [285, [1, 0, 0, 10], eopnotsupp],
  'ioctl RESVSP': [16, [1, 0x4030_5828, 0], eperm],
  'ioctl RESVSP64': [16, [1, 0x4030_582a, 0], eperm],
  'ioctl UNRESVSP': [16, [1, 0x4030_5829, 0], eperm],
  'ioctl UNRESVSP64': [16, [1, 0x4030_582b, 0], eperm],
  'ioctl ZERO_RANGE': [16, [1, 0x4030_5839, 0], eperm],
  'ioctl FSSETXATTR': [16, [1, 0x401c_5820, 0], eperm],
  'ioctl RESVSP64 with bits that the kernel drops': [16, [1, 0xff_4030_582a, 0], eperm],
};

const program = `for my $line (<DATA>) {
  my ($name, $number, @given) = split /\\t/, $line;
  my @numbers = map { $_ + 0 } @given;
  my $result = syscall($number + 0, @numbers);
  print "$name\\t", ($result == -1 ? $! + 0 : "went through"), "\\n";
}
__DATA__
`;

describeWithEngine('system calls', () => {
  test('the kernel refuses calls that the profile does not list', async (context) => {
    if ((await connectTestEngine().info()).Architecture !== 'x86_64')
      context.skip('the numbers are those of x86-64');
    const broker = await startTestBroker();
    const sandbox = await openTestSandbox(broker);
    const lines = Object.entries(refused).map(([name, [number, args]]) => [name, number, ...args].join('\t'));
    await sandbox.writeFile('calls.pl', Buffer.from(`${program}${lines.join('\n')}\n`));
    const { output } = await sandbox.run({ argv: ['perl', 'calls.pl'] });
    const found = Object.fromEntries(
      output
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t')),
    );
    const expected = Object.entries(refused).map(([name, [, , errno]]) => [name, String(errno)]);
    expect(found).toEqual(Object.fromEntries(expected));
  });

  test('a 32-bit program, whose calls have other numbers, cannot run', async (context) => {
    if ((await connectTestEngine().info()).Architecture !== 'x86_64')
      context.skip('there is none on this processor');
    const broker = await startTestBroker();
    const sandbox = await openTestSandbox(broker);
    await sandbox.writeFile('exit', smallestProgram(), { executable: true });
    const { exitCode, signal } = await sandbox.run({ argv: ['./exit'] });
    expect(exitCode === 42 ? 'it ran' : (signal ?? 'refused')).toMatch(/SIGSYS|SIGSEGV|refused/);
  });

  test('servers on loopback, threads, pipes and children work', async () => {
    const broker = await startTestBroker();
    const sandbox = await openTestSandbox(broker);
    const script = `
      const { createServer } = require('node:http'); const { Worker } = require('node:worker_threads');
      const { execFileSync } = require('node:child_process');
      new Worker('require("node:worker_threads").parentPort.postMessage(1)', { eval: true }).on('message', () => {
        const server = createServer((_, answer) => answer.end('served')).listen(0, '127.0.0.1', async () => {
          const answer = await fetch('http://127.0.0.1:' + server.address().port);
          console.log(await answer.text(), execFileSync('sh', ['-c', 'mkfifo p && echo child']).toString().trim());
          server.close();
        });
      });`;
    expect((await sandbox.run({ argv: ['node', '-e', script] })).output).toBe('served child\n');
  });
});

/** An ELF program for i386 that only calls exit(42) with int 0x80. */
function smallestProgram(): Buffer {
  const code = Buffer.from([0xb8, 1, 0, 0, 0, 0xbb, 42, 0, 0, 0, 0xcd, 0x80]);
  const file = Buffer.alloc(84 + code.length);
  Buffer.from([0x7f, 0x45, 0x4c, 0x46, 1, 1, 1]).copy(file);
  const base = 0x0804_8000;
  file.writeUInt16LE(2, 16);
  file.writeUInt16LE(3, 18);
  for (const [offset, value] of [
    [20, 1],
    [24, base + 84],
    [28, 52],
    [52, 1],
    [60, base],
    [64, base],
    [68, file.length],
    [72, file.length],
    [76, 5],
    [80, 0x1000],
  ] as const) {
    file.writeUInt32LE(value, offset);
  }
  file.writeUInt16LE(52, 40);
  file.writeUInt16LE(32, 42);
  file.writeUInt16LE(1, 44);
  code.copy(file, 84);
  return file;
}
