import { join } from 'node:path';
import type { Sandbox, SandboxError } from '@fettle/sandbox';
import type { Attempt } from '../support/attempt.ts';
import { OPEN_FILE_AT, runInHost } from '../support/host.ts';
import { ofOthers } from './of-others.ts';
import { searchEverything } from './search-everything.ts';

export const secrets: Attempt[] = [
  {
    name: 'its own environment and arguments',
    onProcess: 'held',
    program: {
      node({ fs, needle, out, held }) {
        const own = ['environ', 'cmdline', 'auxv'].map((name) =>
          fs.readFileSync(`/proc/self/${name}`, 'latin1'),
        );
        if ([...own, JSON.stringify(process.env)].some((text) => text.includes(needle))) out('it is there');
        else held('nothing planted in it');
      },
    },
  },
  ...ofOthers,
  {
    name: 'planted files by their paths',
    onProcess: 'gets out',
    program: {
      node({ fs, facts, needle, out, held }) {
        for (const path of (facts.files ?? '').split(',')) {
          try {
            if (fs.readFileSync(path, 'latin1').includes(needle)) out(path);
          } catch (error) {
            held(String(error));
          }
        }
      },
    },
  },
  {
    name: 'planted files by a search of everything that can be seen',
    onProcess: 'gets out',
    program: { node: searchEverything },
  },
  {
    name: 'a planted file through a link that the toolbox reads or hands out',
    onProcess: 'held',
    scenario: async ({ start, world }) => {
      const sandbox = await start();
      const { secretFile } = world;
      await sandbox.run({
        command: `ln -s '${secretFile}' link; ln -s '${join(secretFile, '..')}' folder; true`,
      });
      const reads = [sandbox.readFile('link'), sandbox.readFile('folder/credentials'), handOut(sandbox)];
      const taken = await Promise.all(reads.map((read) => read.then(({ bytes }) => bytes, refusal)));
      return taken.some((text) => text.includes(world.needle)) ? 'the toolbox gave it' : 'held';
    },
  },
  {
    name: 'handles that the worker itself was started with',
    // Without walls the file is there anyway; that its handle is not handed on holds there too.
    onProcess: 'held',
    scenario: async ({ backend, world }) => {
      const output = await runInHost({
        ...{ backend, world, openFile: world.secretFile },
        // Read through the open descriptor: opening the file again would check permissions.
        command: `perl -e 'for (3..${OPEN_FILE_AT}) { open(my $file, "<&=", $_) or next; print <$file> if -f $file } print "tried"'`,
      });
      if (!output.includes('tried')) throw new Error(output);
      return output.includes(world.needle) ? 'an inherited handle gave it' : 'held';
    },
  },
  {
    name: "what the kernel tells: its log, its memory, the machine's firmware",
    onProcess: 'gets out as root',
    program: {
      node({ fs, out, held }) {
        const places = ['/dev/kmsg', '/proc/kmsg', '/proc/kcore', '/dev/mem', '/dev/port', '/dev/core'];
        for (const path of [
          ...places,
          '/sys/firmware/dmi/tables/DMI',
          '/sys/kernel/debug',
          '/sys/kernel/vmcoreinfo',
        ]) {
          try {
            fs.closeSync(fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK));
            out(path);
          } catch (error) {
            held(String(error));
          }
        }
      },
    },
  },
  {
    name: "the kernel's log by its system call",
    onProcess: 'gets out as root',
    program: { perl: 'refused("syslog", 10, 0, 0);' },
  },
  {
    name: "the sockets of the machine's services",
    onProcess: 'gets out as root',
    program: {
      node({ fs, facts, out, held }) {
        const known = ['/run/docker.sock', '/var/run/docker.sock', '/run/containerd/containerd.sock'];
        const more = ['/run/podman/podman.sock', '/run/dbus/system_bus_socket', '/run/systemd/private'];
        for (const path of [facts.runPath ?? '/run/x', ...known, ...more, '/run/secrets']) {
          if (fs.existsSync(path)) return out(path);
          held(`no ${path}`);
        }
        const listed = fs.existsSync('/run') ? fs.readdirSync('/run', { withFileTypes: true }) : [];
        for (const entry of listed) if (entry.isSocket()) out(`/run/${entry.name}`);
      },
    },
  },
];

async function handOut(sandbox: Sandbox): Promise<{ bytes: Buffer }> {
  const { changes } = await sandbox.changes();
  // The text of a link's target is not what lies behind it.
  return {
    bytes: Buffer.concat(changes.map(({ kind, bytes }) => (kind === 'symlink' ? Buffer.alloc(0) : bytes))),
  };
}

const refusal = (error: SandboxError): Buffer => Buffer.from(error.code);
