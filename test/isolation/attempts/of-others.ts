// What other processes have, through /proc.
import type { Attempt } from '../support/attempt.ts';
import type { Inside, NodeProgram } from '../support/program.ts';

type Look = (pid: number, inside: Inside) => string[];

export const ofOthers: Attempt[] = [
  ...(['environ', 'cmdline'] as const).map((name) =>
    ofEveryProcess(`${name} of every process`, readText(name)),
  ),
  ofEveryProcess('open handles of every process', (pid, { fs }) =>
    fs.readdirSync(`/proc/${pid}/fd`).map((fd) => {
      const path = `/proc/${pid}/fd/${fd}`;
      return fs.statSync(path).isFile() ? fs.readFileSync(path).subarray(0, 65_536).toString('latin1') : '';
    }),
  ),
  ofEveryProcess('the working folder of every process', (pid, { fs }) =>
    fs.readdirSync(`/proc/${pid}/cwd`).map((name) => {
      const path = `/proc/${pid}/cwd/${name}`;
      const { size } = fs.statSync(path);
      return fs.statSync(path).isFile() && size < 65_536 ? fs.readFileSync(path, 'latin1') : '';
    }),
  ),
  ofEveryProcess('planted files through the root of every process', (pid, { fs, facts }) =>
    (facts.files ?? '').split(',').map((path) => fs.readFileSync(`/proc/${pid}/root${path}`, 'latin1')),
  ),
  ofEveryProcess('memory of every process', (pid, { fs }) => {
    const memory = fs.openSync(`/proc/${pid}/mem`, 'r');
    const maps = fs.readFileSync(`/proc/${pid}/maps`, 'latin1').split('\n');
    return maps.map((line) => {
      const [, first = '', last = ''] = /^([0-9a-f]+)-([0-9a-f]+) rw-p/.exec(line) ?? [];
      const length = Number.parseInt(last, 16) - Number.parseInt(first, 16);
      if (!(length > 0 && length < 8 * 1024 ** 2)) return '';
      const bytes = Buffer.alloc(length);
      try {
        fs.readSync(memory, bytes, 0, length, BigInt(`0x${first}`));
      } catch {
        return '';
      }
      return bytes.toString('latin1');
    });
  }),
];

/** Ends at the first find, which is the planted process if that can be seen: no other is looked into then. */
function ofEveryProcess(name: string, look: Look): Attempt {
  const source = `({ pids, needle, out, held, ...more }) => {
    const look = ${look};
    for (const pid of pids) {
      try {
        if (look(pid, more).some((text) => text.includes(needle))) return out('process ' + pid);
        held('process ' + pid + ' has none');
      } catch (error) {
        held(error);
      }
    }
  }`;
  return { name, onProcess: 'gets out as root', program: { node: fromSource(source) } };
}

function readText(name: string): Look {
  return fromSource<Look>(`(pid, { fs }) => [fs.readFileSync('/proc/' + pid + '/${name}', 'latin1')]`);
}

/** Only its text counts: it is never called here. */
function fromSource<Wanted = NodeProgram>(source: string): Wanted {
  return { toString: () => source } as Wanted;
}
