import { existsSync, readFileSync } from 'node:fs';
import { release } from 'node:os';
import type { Diagnosis } from './diagnosis.ts';

/** Reports the kernel features that sandboxes use. */
export function examineKernel(): Diagnosis {
  const name = 'kernel';
  if (process.platform !== 'linux')
    return { name, state: 'warning', message: `${process.platform}: sandboxes need Linux` };
  const features = [
    `user namespaces ${canCreateNamespaces() ? 'on' : 'off'}`,
    `seccomp ${existsSync('/proc/sys/kernel/seccomp') ? 'on' : 'off'}`,
    `cgroups v${existsSync('/sys/fs/cgroup/cgroup.controllers') ? 2 : 1}`,
  ];
  return { name, state: 'ok', message: `${release()}: ${features.join(', ')}` };
}

function canCreateNamespaces(): boolean {
  const isOff = (path: string, off: string) => readIfExists(path)?.trim() === off;
  return !(
    isOff('/proc/sys/user/max_user_namespaces', '0') ||
    isOff('/proc/sys/kernel/unprivileged_userns_clone', '0') ||
    isOff('/proc/sys/kernel/apparmor_restrict_unprivileged_userns', '1')
  );
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
