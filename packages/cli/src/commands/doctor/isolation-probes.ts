/** A short check of the isolation, from inside a sandbox. The full tests are in test/isolation. */
export interface Probe {
  /** Completes the sentence "a command …". */
  name: string;
  /** Runs in /bin/sh in the sandbox. `CANARY` is a file of the host that must not be visible. */
  command: string;
  passes(output: string): boolean;
  /** Depends on the kernel of the host. A runtime with its own kernel (gVisor, Kata) gives other answers. */
  ofHostKernel?: true;
}

/** Prints the kernel that a command runs on. */
export const kernelProbe = 'uname -r';

export const isolationProbes: Probe[] = [
  { name: 'is not root', command: 'id -u', passes: (output) => Number(output) > 0 },
  {
    name: 'has no capability',
    command: 'grep -h ^Cap /proc/self/status',
    passes: (output) => output !== '' && !/[1-9a-f]/.test(output.replaceAll(/Cap\w+:/g, '')),
  },
  {
    name: 'cannot gain privileges',
    command: 'grep NoNewPrivs /proc/self/status',
    passes: (output) => /\t1$/.test(output),
    ofHostKernel: true,
  },
  {
    name: 'has its system calls filtered',
    command: 'grep ^Seccomp: /proc/self/status',
    passes: (output) => /\t2$/.test(output),
    ofHostKernel: true,
  },
  {
    name: 'has no network but loopback',
    command: 'tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d " "',
    passes: (output) => output === 'lo' || output === '',
  },
  {
    name: 'cannot read this machine’s files',
    command: 'cat "$CANARY" 2>/dev/null && echo read; true',
    passes: (output) => output === '',
  },
  {
    name: 'sees no process of this machine',
    command: 'ls /proc 2>/dev/null | grep -c "^[0-9]"',
    passes: (output) => Number(output) < 20,
  },
  {
    name: 'cannot write to the system',
    command: 'for f in / /usr /etc /dev; do touch $f/x 2>/dev/null && echo $f; done; true',
    passes: (output) => output === '',
  },
  {
    name: 'cannot create user namespaces',
    command: 'unshare --user true 2>/dev/null && echo made; true',
    passes: (output) => output === '',
    ofHostKernel: true,
  },
];
