// The worker must come away from every toolbox: with a clear error within its limits, nothing left, and the next
// sandbox as good as any.
import { dirname, relative } from 'node:path';
import { SandboxError } from '@fettle/sandbox';
import { type Attempt, judgeLines, runProgram } from '../support/attempt.ts';
import { expectClearEnd, expectSandboxEnd, goesOn } from '../support/clear-end.ts';
import type { Inside } from '../support/program.ts';
import { takenOver } from './taken-over.ts';

export const protocol: Attempt[] = [
  writeFrames("frames are written into the toolbox's output", 1),
  writeFrames("frames are written into the toolbox's input", 0),
  {
    name: 'the toolbox is killed',
    onProcess: 'held',
    scenario: (stage) =>
      expectClearEnd(stage, (sandbox) => sandbox.run({ command: 'kill -9 $PPID; sleep 60' })),
  },
  {
    name: 'everything but the command is killed',
    onProcess: { skip: 'everything is all of this machine' },
    scenario: (stage) =>
      expectClearEnd(stage, (sandbox) =>
        // Only where the numbering is the sandbox's own: outside, this would be the end of the day.
        sandbox.run({
          command: '[ "$$" -lt 1000 ] && [ -d /sandbox ] && kill -9 -1; sleep 60',
          timeoutMs: 3000,
        }),
      ),
  },
  {
    name: 'the toolbox is frozen for good',
    onProcess: 'held',
    scenario: (stage) =>
      expectClearEnd(stage, (sandbox) =>
        sandbox.run({ command: 'kill -STOP $PPID; sleep 600', timeoutMs: 1000, graceMs: 4000 }),
      ),
  },
  {
    name: 'the toolbox is frozen for a while, and answers late',
    onProcess: 'held',
    scenario: async ({ start }) => {
      const sandbox = await start();
      await sandbox.writeFile('file', Buffer.from('text'));
      const freezing = sandbox.run({ command: 'kill -STOP $PPID; sleep 4; kill -CONT $PPID' });
      await new Promise((resolve) => setTimeout(resolve, 2000));
      const error = await sandbox
        .readFile('file', { timeoutMs: 500 })
        .catch((reason: SandboxError) => reason.code);
      if (error !== 'timeout') return `reading from a frozen toolbox came to ${error}`;
      await freezing;
      return goesOn(sandbox);
    },
  },
  {
    name: 'the toolbox is taken over through its debugger',
    onProcess: 'held',
    scenario: async ({ start, world }) => {
      const sandbox = await start();
      const output = await runProgram(sandbox, { node: openDebugger }, world).catch(expectSandboxEnd);
      const verdict = output === undefined ? 'held' : judgeLines(output);
      return verdict === 'held' ? goesOn(await start()) : verdict;
    },
  },
  {
    name: 'the workspace is replaced by a link to a folder of the host',
    onProcess: 'gets out',
    scenario: async ({ start, world }) => {
      const sandbox = await start();
      const folder = dirname(world.secretFile);
      await sandbox.run({ command: `w=$PWD; mv "$w" "$w.old" && ln -s '${folder}' "$w"` });
      const read = sandbox.readFile(relative(folder, world.secretFile)).then(
        ({ bytes }) => bytes.toString(),
        ({ code }: SandboxError) => code,
      );
      return (await read).includes(world.needle) ? 'the toolbox reads it' : 'held';
    },
  },
  ...takenOver,
];

/** Given that the debugger is the toolbox's: on this machine there may be others. */
async function openDebugger({ out, held }: Inside): Promise<void> {
  process.kill(process.ppid, 'SIGUSR1');
  for (let round = 0; round < 20; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const list = await fetch('http://127.0.0.1:9229/json/list').then((response) => response.text(), String);
    if (list.includes('toolbox/main.ts')) return out('it listens');
  }
  held('nobody listens');
}

/** Where the stream can be opened at all, the first frame that is none ends the sandbox, and nothing else. */
function writeFrames(name: string, fd: number): Attempt {
  return {
    name,
    onProcess: 'held',
    scenario: async ({ start, world }) => {
      const perl = `my $toolbox = getppid();
        if (open(my $stream, ">>", "/proc/$toolbox/fd/${fd}")) { syswrite($stream, "\\xff" x 64); sleep 5 } else { held($!) }`;
      const sandbox = await start();
      const came = await runProgram(sandbox, { perl }, world).catch((error: unknown) => error);
      if (typeof came === 'string' && came.includes('held: ')) return 'held';
      if (typeof came !== 'string' && !(came instanceof SandboxError)) return `it came to ${came}`;
      const after = await sandbox.run({ argv: ['true'] }).catch((error: unknown) => error);
      return after instanceof SandboxError
        ? goesOn(await start())
        : 'the sandbox goes on as if nothing had been';
    },
  };
}
