import { existsSync, readFileSync } from 'node:fs';
import { release } from 'node:os';
import type { Finding } from './diagnosis.ts';

/** What the kernel offers for sandboxes. */
export function examineKernel(): Finding {
  const name = 'kernel';
  if (process.platform !== 'linux')
    return { name, state: 'warning', message: `${process.platform}: sandboxes need Linux` };
  const offers = [
    `user namespaces ${canMakeNamespaces() ? 'on' : 'off'}`,
    `seccomp ${existsSync('/proc/sys/kernel/seccomp') ? 'on' : 'off'}`,
    `cgroups v${existsSync('/sys/fs/cgroup/cgroup.controllers') ? 2 : 1}`,
  ];
  return { name, state: 'ok', message: `${release()}: ${offers.join(', ')}` };
}

function canMakeNamespaces(): boolean {
  const isOff = (path: string, off: string) => readIfThere(path)?.trim() === off;
  return !(
    isOff('/proc/sys/user/max_user_namespaces', '0') ||
    isOff('/proc/sys/kernel/unprivileged_userns_clone', '0') ||
    isOff('/proc/sys/kernel/apparmor_restrict_unprivileged_userns', '1')
  );
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
