/** The boundary in short form: what a command inside must find out about itself. The whole is in test/isolation. */
export interface Probe {
  /** Completes "a command …". */
  name: string;
  /** For /bin/sh, inside; `CANARY` is a file of this machine that must not be there. */
  command: string;
  holds(output: string): boolean;
  /** It asks for what this machine's kernel holds; a runtime that brings a kernel of its own (gVisor, Kata) answers otherwise. */
  ofThisKernel?: true;
}

/** Which kernel a command runs on. */
export const kernelProbe = 'uname -r';

export const boundaryProbes: Probe[] = [
  { name: 'is not root', command: 'id -u', holds: (output) => Number(output) > 0 },
  {
    name: 'has no capability',
    command: 'grep -h ^Cap /proc/self/status',
    holds: (output) => output !== '' && !/[1-9a-f]/.test(output.replaceAll(/Cap\w+:/g, '')),
  },
  {
    name: 'cannot gain privileges',
    command: 'grep NoNewPrivs /proc/self/status',
    holds: (output) => /\t1$/.test(output),
    ofThisKernel: true,
  },
  {
    name: 'has its system calls filtered',
    command: 'grep ^Seccomp: /proc/self/status',
    holds: (output) => /\t2$/.test(output),
    ofThisKernel: true,
  },
  {
    name: 'has no network but loopback',
    command: 'tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d " "',
    holds: (output) => output === 'lo' || output === '',
  },
  {
    name: 'cannot read this machine’s files',
    command: 'cat "$CANARY" 2>/dev/null && echo read; true',
    holds: (output) => output === '',
  },
  {
    name: 'sees no process of this machine',
    command: 'ls /proc 2>/dev/null | grep -c "^[0-9]"',
    holds: (output) => Number(output) < 20,
  },
  {
    name: 'cannot write to the system',
    command: 'for f in / /usr /etc /dev; do touch $f/x 2>/dev/null && echo $f; done; true',
    holds: (output) => output === '',
  },
  {
    name: 'cannot make user namespaces',
    command: 'unshare --user true 2>/dev/null && echo made; true',
    holds: (output) => output === '',
    ofThisKernel: true,
  },
];
