import type { Attempt } from '../support/attempt.ts';
import type { NodeProgram } from '../support/program.ts';

export const writing: Attempt[] = [
  makeFile('the root folder', ['/']),
  makeFile('the folders of programs and libraries', [
    '/usr',
    '/usr/bin',
    '/usr/local/bin',
    '/usr/lib',
    '/lib64',
  ]),
  makeFile('the folder of settings', ['/etc', '/etc/ld.so.conf.d', '/etc/ssl/certs', '/etc/alternatives']),
  makeFile('the planted folder', ['FACTS:folder']),
  {
    name: "the toolbox's source, its node and its compiled code",
    onProcess: 'gets out',
    program: {
      node({ fs, out, held }) {
        const [node = '', ...rest] = fs.readFileSync(`/proc/${process.ppid}/cmdline`, 'utf8').split('\0');
        const main = rest.find((argument) => argument.endsWith('/main.ts')) ?? '';
        const environment = fs.readFileSync(`/proc/${process.ppid}/environ`, 'utf8').split('\0');
        const cache = environment.find((line) => line.startsWith('NODE_COMPILE_CACHE='))?.split('=')[1] ?? '';
        const source = main.slice(0, -'/toolbox/main.ts'.length);
        for (const path of [node, main, `${source}/protocol/frames.ts`]) {
          try {
            fs.accessSync(path, fs.constants.W_OK);
            out(path);
          } catch (error) {
            held(String(error));
          }
        }
        for (const folder of [cache, source, `${source}/toolbox`, node.slice(0, node.lastIndexOf('/'))]) {
          const path = `${folder}/attempt-to-write`;
          try {
            fs.writeFileSync(path, '');
            out(folder);
            fs.rmSync(path);
          } catch (error) {
            held(String(error));
          }
        }
      },
    },
  },
  openToWrite("the kernel's settings", [
    ...['/proc/sys/kernel/core_pattern', '/proc/sys/kernel/modprobe', '/proc/sys/vm/drop_caches'],
    ...['/proc/sys/kernel/hostname', '/proc/sys/fs/binfmt_misc/register', '/proc/sys/net/ipv4/ip_forward'],
  ]),
  openToWrite("the kernel's emergency switch", ['/proc/sysrq-trigger'], { skip: 'not every kernel has it' }),
  openToWrite('devices through /sys', [
    '/sys/kernel/uevent_helper',
    '/sys/power/state',
    '/sys/kernel/mm/ksm/run',
  ]),
  openToWrite('control groups, and the program that they start', [
    ...['/sys/fs/cgroup/cgroup.procs', '/sys/fs/cgroup/release_agent', '/sys/fs/cgroup/memory/release_agent'],
    ...['/sys/fs/cgroup/unified/cgroup.procs', '/sys/fs/cgroup/systemd/release_agent'],
  ]),
  {
    name: 'block devices',
    onProcess: { skip: 'the machine may have none' },
    program: {
      node({ fs, out, held }) {
        for (const name of fs.readdirSync('/dev')) {
          try {
            if (fs.statSync(`/dev/${name}`).isBlockDevice()) out(`/dev/${name}`);
          } catch {
            // A link to nowhere.
          }
        }
        held('no more');
      },
    },
  },
  ...(
    [
      ['block', 0o060600, 'block device'],
      ['character', 0o020600, 'character device'],
    ] as const
  ).map(
    ([kind, mode, what]): Attempt => ({
      name: `a ${what} of its own`,
      onProcess: 'gets out as root',
      // The number of /dev/null as a character device; as a block device it is the first memory disk.
      program: {
        perl: `my $path = "$ENV{TMPDIR}/${kind}"; refused("mknodat", -100, $path, ${mode}, 0x103); unlink $path;`,
      },
    }),
  ),
];

/** A new file in each of the folders, removed at once where it could be made. */
function makeFile(name: string, folders: string[]): Attempt {
  const source = `({ fs, facts, out, held }) => {
    for (const each of ${JSON.stringify(folders)}) {
      const folder = each.startsWith('FACTS:') ? facts[each.slice(6)] : each;
      const path = folder + '/attempt-to-write';
      try { fs.writeFileSync(path, '', { flag: 'wx' }); out(folder); fs.rmSync(path); } catch (error) { held(error); }
    }
  }`;
  const onProcess = folders[0]?.startsWith('FACTS:') ? 'gets out' : 'gets out as root';
  return { name, onProcess, program: { node: { toString: () => source } as NodeProgram } };
}

/** Opened for writing and closed again: what can be opened can be written to, and nothing is changed by it. */
function openToWrite(name: string, paths: string[], onProcess?: Attempt['onProcess']): Attempt {
  const source = `({ fs, out, held }) => {
    for (const path of ${JSON.stringify(paths)}) {
      try { fs.closeSync(fs.openSync(path, fs.constants.O_WRONLY)); out(path); } catch (error) { held(error); }
    }
  }`;
  const node = { toString: () => source } as NodeProgram;
  return { name, onProcess: onProcess ?? 'gets out as root', program: { node } };
}
