import { expect, test } from 'vitest';
import { toDockerProfile } from './docker-profile.ts';
import { seccompProfile } from './profile.ts';

const allowed = seccompProfile.allow.flatMap(({ names }) => names);
const conditional = seccompProfile.conditional.map(({ name }) => name);
const refused = seccompProfile.refuse.flatMap(({ names }) => names);

test('every call is listed exactly once', () => {
  const all = [...allowed, ...new Set(conditional), ...refused];
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
  expect(all.filter((name) => !/^[a-z][a-z0-9_]*$/.test(name))).toEqual([]);
});

test.each([
  ...['unshare', 'setns', 'clone3', 'mount', 'umount2', 'pivot_root', 'chroot', 'open_tree', 'move_mount'],
  ...['fsopen', 'io_uring_setup', 'io_uring_enter', 'io_uring_register', 'bpf', 'perf_event_open'],
  ...['userfaultfd', 'vmsplice', 'ptrace', 'process_vm_readv', 'process_vm_writev', 'process_madvise'],
  ...['kcmp', 'pidfd_getfd', 'add_key', 'request_key', 'keyctl', 'kexec_load', 'kexec_file_load'],
  ...['init_module', 'finit_module', 'delete_module', 'quotactl', 'quotactl_fd', 'open_by_handle_at'],
  ...['name_to_handle_at', 'acct', 'reboot', 'settimeofday', 'clock_settime', 'adjtimex', 'swapon'],
  ...['swapoff', 'sethostname', 'syslog', 'fanotify_init', 'iopl', 'ioperm', 'modify_ldt', 'mbind'],
  ...['set_mempolicy', 'move_pages', 'migrate_pages', 'lookup_dcookie'],
])('%s is never allowed', (name) => {
  expect([...allowed, ...conditional]).not.toContain(name);
});

test('each value is within its mask, and masks are safe integers', () => {
  const faults = seccompProfile.conditional
    .flatMap(({ tests }) => tests)
    .filter(
      ({ index, mask, value }) =>
        index > 5 || !Number.isSafeInteger(mask) || (BigInt(value) & ~BigInt(mask)) !== 0n,
    );
  expect(faults).toEqual([]);
});

// The engine treats two conditions on one argument as alternatives.
test('no condition tests an argument twice', () => {
  const indexes = seccompProfile.conditional.map(({ tests }) => tests.map(({ index }) => index));
  expect(indexes.filter((each) => new Set(each).size !== each.length)).toEqual([]);
});

test('in the engine’s format, the mask comes before the value', () => {
  const { defaultAction, defaultErrnoRet, syscalls } = toDockerProfile(seccompProfile);
  expect({ defaultAction, defaultErrnoRet }).toEqual({ defaultAction: 'SCMP_ACT_ERRNO', defaultErrnoRet: 1 });
  expect(syscalls.filter(({ names }) => names.includes('clone') || names.includes('clone3'))).toEqual([
    {
      names: ['clone'],
      action: 'SCMP_ACT_ALLOW',
      args: [{ index: 0, value: 0x7e02_0000, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' }],
    },
    { names: ['clone3'], action: 'SCMP_ACT_ERRNO', errnoRet: 38 },
  ]);
});
