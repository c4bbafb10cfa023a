// An attempt is a program that tries one thing from inside a sandbox and says what came of it, a line each:
// `out: …` for what it reached, `held: …` for what refused it. One that says neither is broken, not held.
import type { Sandbox, SandboxLimits } from '@fettle/sandbox';
import type { IsolationBackend } from './backends.ts';
import { type Program, programArgv } from './program.ts';
import type { World } from './world.ts';

/** 'held', or how it got out. */
export type Verdict = 'held' | (string & {});

/**
 * What comes of it where nothing isolates. That an attempt gets out there shows that it can: a suite whose attempts
 * fail everywhere proves nothing.
 */
export type OnProcess = 'gets out' | 'gets out as root' | 'held' | { skip: string };

interface Named {
  name: string;
  onProcess: OnProcess;
  /** Why it is not made on a backend that isolates: docs/security.md says that this is not promised there. */
  notPromised?: (backend: IsolationBackend) => string | undefined;
}

/** One program in a sandbox that it shares with others of its group. */
export interface ProgramAttempt extends Named {
  program: Program;
  judge?: (output: string, world: World) => Verdict;
}

/** One that needs a part played on this side of the wall too. */
export interface ScenarioAttempt extends Named {
  scenario: (stage: Stage) => Promise<Verdict>;
}

export type Attempt = ProgramAttempt | ScenarioAttempt;

export interface Stage {
  backend: IsolationBackend;
  world: World;
  /** A sandbox of its own, closed at the end of the attempt if it was not before. */
  start(limits?: SandboxLimits): Promise<Sandbox>;
}

/** The output of a program that was killed before it printed anything. */
export const KILLED = 'killed: by the kernel, or by what it did itself';

export interface RunProgramOptions {
  timeoutMs?: number;
  facts?: Record<string, string>;
}

/** The program's output, as far as it matters. */
export async function runProgram(
  sandbox: Sandbox,
  program: Program,
  world: World,
  { timeoutMs = 90_000, facts = {} }: RunProgramOptions = {},
): Promise<string> {
  const env = Object.fromEntries(
    Object.entries({ ...world.facts, ...facts }).map(([name, value]) => [`ISO_${name}`, value]),
  );
  const { output, timedOut, ...end } = await sandbox.run({ argv: programArgv(program), env, timeoutMs });
  if (end.signal === 'SIGKILL' && !timedOut) return `${output}\n${KILLED}`;
  if (timedOut) return `${output}\nbroken: it took longer than ${timeoutMs} ms`;
  // Without a word, how it ended is all there is to find out why.
  return output === '' ? `broken: it said nothing, and ended as ${JSON.stringify(end)}` : output;
}

export function judgeLines(output: string): Verdict {
  const lines = output.split('\n');
  const reached = lines.filter((line) => line.startsWith('out: '));
  if (reached.length > 0) return reached.slice(0, 10).join('; ');
  if (lines.some((line) => line.startsWith('broken: ')) || !lines.some((line) => line.startsWith('held: '))) {
    throw new Error(`The attempt is broken: ${output.slice(0, 2000) || 'it said nothing'}`);
  }
  return 'held';
}
