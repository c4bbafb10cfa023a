import { SandboxError, type SandboxLimits } from '@fettle/sandbox';
import { judgeLines, KILLED, runProgram, type ScenarioAttempt, type Verdict } from './attempt.ts';
import type { IsolationBackend } from './backends.ts';
import { goesOn } from './clear-end.ts';
import type { Program } from './program.ts';

/** How long a sandbox may be over its limit before that counts as none; looks come every half second. */
const PATIENCE_S = 15;

/** Disk that only a look at the processes finds. The broker looks at volumes only, unless the file system has quotas. */
export const hiddenFromBroker = ({ name }: IsolationBackend): string | undefined =>
  name === 'docker' ? 'without quotas, a container’s disk limit counts only files with a name' : undefined;

/** Either it is refused, or the sandbox is ended for it with a reason; then another one starts. */
export function overLimit(name: string, limits: SandboxLimits, program: Program): ScenarioAttempt {
  return {
    name,
    onProcess: 'gets out',
    scenario: async ({ backend, start, world }) => {
      const sandbox = await start(limits);
      const facts = { patience: String(backend.isolates ? PATIENCE_S : 1) };
      const output = await runProgram(sandbox, program, world, { facts }).catch(expectEnd);
      const wasTaken = output === undefined || output.endsWith(KILLED);
      const verdict: Verdict = wasTaken ? 'held' : judgeLines(output);
      return verdict === 'held' ? goesOn(await start()) : verdict;
    },
  };
}

/** Where the kernel takes the toolbox itself for want of memory, its end may be seen before the kernel has counted it. */
export function expectEnd(error: unknown): undefined {
  if (error instanceof SandboxError && error.code === 'ended') return;
  throw error;
}
