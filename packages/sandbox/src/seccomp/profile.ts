/**
 * The system calls that programs in a sandbox may make: an allow list for x86-64 and arm64, each group with its reason. All
 * others fail with EPERM: namespaces, mounts, keyrings, io_uring and old asynchronous I/O, bpf, perf, ptrace and the memory
 * of other processes, userfaultfd, modules, kexec, quotas, file handles, clocks, raw hardware. Calls that an architecture
 * does not have are skipped.
 */
import { controlCommands } from './control-commands.ts';

/**
 * `(argument & mask) === value`. A 32-bit mask tests the low half, and the kernel reads only that of most arguments. Wider
 * masks have at most 53 bits, so that they stay exact in JSON.
 */
export interface ArgumentTest {
  index: number;
  mask: number;
  value: number;
}

export interface AllowedCalls {
  names: string[];
  reason: string;
}

/** Allowed if all tests hold. Several entries with the same name are alternatives. */
export interface ConditionalCall {
  name: string;
  tests: ArgumentTest[];
  reason: string;
}

/** Refused with another error than EPERM, so that the caller uses its fallback. */
export interface RefusedCalls {
  names: string[];
  errno: number;
  reason: string;
}

export interface SeccompProfile {
  refusalErrno: number;
  allow: AllowedCalls[];
  conditional: ConditionalCall[];
  refuse: RefusedCalls[];
}

const eperm = 1;
const enosys = 38;
const eopnotsupp = 95;
const allBits = 0xffff_ffff;

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const namespaceFlags = 0x7e02_0000;

const fileTypeMask = 0xf000;
const ordinaryNodes = { unspecified: 0, fifo: 0x1000, regular: 0x8000, socket: 0xc000 };

/** The bits of all sizes from 16 KiB up to the size of the address space. */
const largeSegment = 0x000f_ffff_ffff_c000;

const unix = 1;
const internet = [2, 10];
const netlink = 16;
const socketTypeMask = 0xf;
/** Socket type and protocol: TCP and UDP, explicitly or by default. */
const internetProtocols = [
  [1, 0],
  [1, 6],
  [2, 0],
  [2, 17],
] as const;

const words = (text: string): string[] => text.trim().split(/\s+/);

export const seccompProfile: SeccompProfile = {
  refusalErrno: eperm,
  allow: [
    {
      reason: 'reading and writing open files',
      names: words(`
        read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 lseek close close_range dup dup2 dup3
        fcntl flock fsync fdatasync sync syncfs sync_file_range ftruncate fadvise64 readahead sendfile
        copy_file_range splice tee cachestat`),
    },
    {
      reason: 'files and folders by name, within their permissions',
      names: words(`
        open openat openat2 creat access faccessat faccessat2 stat lstat fstat newfstatat statx statfs fstatfs truncate
        mkdir mkdirat rmdir rename renameat renameat2 link linkat unlink unlinkat symlink symlinkat readlink readlinkat
        chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes utimensat futimesat umask getdents
        getdents64 getcwd chdir fchdir getxattr lgetxattr fgetxattr getxattrat setxattr lsetxattr fsetxattr setxattrat
        listxattr llistxattr flistxattr listxattrat removexattr lremovexattr fremovexattr removexattrat
        inotify_init inotify_init1 inotify_add_watch inotify_rm_watch`),
    },
    {
      reason: 'its own memory',
      names: words(`
        brk mmap munmap mremap mprotect pkey_alloc pkey_free pkey_mprotect madvise mincore msync mlock mlock2 mlockall
        munlock munlockall membarrier mseal map_shadow_stack`),
    },
    {
      reason: 'processes and threads; clone is conditional, see below',
      names: words(`
        fork vfork execve execveat exit exit_group wait4 waitid getpid getppid gettid getpgid getpgrp setpgid getsid
        setsid set_tid_address set_robust_list get_robust_list rseq arch_prctl prctl restart_syscall
        pidfd_open pidfd_send_signal process_mrelease`),
    },
    {
      reason: 'signals to processes that are visible inside',
      names: words(`
        kill tkill tgkill rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend
        rt_sigtimedwait rt_tgsigqueueinfo sigaltstack signalfd signalfd4 pause alarm`),
    },
    {
      reason: 'waiting',
      names: words(`
        poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd
        eventfd2 futex futex_wait futex_wake futex_waitv futex_requeue pipe pipe2 nanosleep clock_nanosleep
        getitimer setitimer timer_create timer_delete timer_getoverrun timer_gettime timer_settime timerfd_create
        timerfd_gettime timerfd_settime`),
    },
    {
      reason: 'the time, read only',
      names: words('time times gettimeofday clock_gettime clock_getres'),
    },
    {
      reason: 'identity; without capabilities, ids can change only among its own',
      names: words(`
        getuid geteuid getgid getegid getgroups getresuid getresgid setuid setgid setreuid setregid setresuid setresgid
        setgroups setfsuid setfsgid capget uname sysinfo getrandom getcpu`),
    },
    {
      reason: 'limits and priorities, which can only be lowered',
      names: words(`
        getrlimit setrlimit prlimit64 getrusage getpriority setpriority ioprio_get ioprio_set sched_yield
        sched_getaffinity sched_setaffinity sched_getattr sched_setattr sched_getparam sched_setparam
        sched_getscheduler sched_setscheduler sched_get_priority_max sched_get_priority_min sched_rr_get_interval`),
    },
    {
      reason: 'existing sockets; creating one is conditional, see below',
      names: words(`
        bind listen accept accept4 connect shutdown getsockname getpeername getsockopt setsockopt sendto sendmsg
        sendmmsg recvfrom recvmsg recvmmsg`),
    },
    {
      reason: 'message queues, semaphores and shared memory of its own namespace, which database tests use',
      names: words(`
        shmat shmdt shmctl semget semop semtimedop semctl msgget msgsnd msgrcv msgctl mq_open mq_unlink
        mq_timedsend mq_timedreceive mq_notify mq_getsetattr`),
    },
    {
      reason: 'dropping more privileges',
      names: words('seccomp landlock_create_ruleset landlock_add_rule landlock_restrict_self'),
    },
  ],
  conditional: [
    {
      name: 'clone',
      tests: [{ index: 0, mask: namespaceFlags, value: 0 }],
      reason: 'threads and child processes without new namespaces',
    },
    {
      name: 'shmget',
      tests: [{ index: 1, mask: largeSegment, value: 0 }],
      reason:
        'database locks; a large segment without an attached process is memory that no process accounts for',
    },
    ...controlCommands,
    ...Object.values(ordinaryNodes).flatMap((type) => [
      makeNode('mknod', 1, type),
      makeNode('mknodat', 2, type),
    ]),
    {
      name: 'socketpair',
      tests: [{ index: 0, mask: allBits, value: unix }],
      reason: 'socket pairs',
    },
    {
      name: 'socket',
      tests: [{ index: 0, mask: allBits, value: unix }],
      reason: 'servers and clients within the sandbox',
    },
    {
      name: 'socket',
      tests: [
        { index: 0, mask: allBits, value: netlink },
        { index: 2, mask: allBits, value: 0 },
      ],
      reason: 'the list of network interfaces, which is loopback',
    },
    ...internet.flatMap((family) =>
      internetProtocols.map(([type, protocol]) => ({
        name: 'socket',
        tests: [
          { index: 0, mask: allBits, value: family },
          { index: 1, mask: socketTypeMask, value: type },
          { index: 2, mask: allBits, value: protocol },
        ],
        reason: 'TCP and UDP on loopback: test servers, the registries of the toolbox',
      })),
    ),
    // Query, the default, and disabled address randomization, which sanitizers need.
    ...[allBits, 0, 0x0004_0000].map((persona) => ({
      name: 'personality',
      tests: [{ index: 0, mask: allBits, value: persona }],
      reason: 'only personalities without known kernel bugs',
    })),
  ],
  refuse: [
    {
      names: ['memfd_create'],
      errno: enosys,
      reason:
        'its files are memory that no process accounts for; programs fall back to /dev/shm, which has a limit',
    },
    {
      names: ['clone3'],
      errno: enosys,
      reason: 'its flags are behind a pointer, which a filter cannot read; libraries fall back to clone',
    },
    {
      names: ['fallocate'],
      errno: eopnotsupp,
      reason:
        'it allocates the whole disk at once, before any check can react; libraries fall back to writing',
    },
    {
      names: words(`
        io_uring_setup io_uring_enter io_uring_register io_setup memfd_secret statmount listmount lsm_get_self_attr
        lsm_list_modules file_getattr file_setattr userfaultfd`),
      errno: enosys,
      reason: 'programs assume an older kernel and do without it',
    },
  ],
};

function makeNode(name: string, index: number, type: number): ConditionalCall {
  return {
    name,
    tests: [{ index, mask: fileTypeMask, value: type }],
    reason: 'files, named pipes and sockets, never devices',
  };
}
