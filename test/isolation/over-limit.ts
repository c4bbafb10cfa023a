import { SandboxError, type SandboxLimits } from '@fettle/sandbox';
import { type Attempt, judgeLines, runProgram, type Verdict } from './attempt.ts';
import { goesOn } from './clear-end.ts';
import type { Program } from './program.ts';

/** How long a sandbox may be over its limit before that counts as none; looks come every half second. */
const PATIENCE_S = 15;

/** Either it is refused, or the sandbox is ended for it with a reason; then another one starts. */
export function overLimit(name: string, limits: SandboxLimits, program: Program): Attempt {
  return {
    name,
    onProcess: 'gets out',
    scenario: async ({ backend, start, world }) => {
      const sandbox = await start(limits);
      const facts = { patience: String(backend.isolates ? PATIENCE_S : 1) };
      const output = await runProgram(sandbox, program, world, { facts }).catch(expectEnd);
      const verdict: Verdict = output === undefined ? 'held' : judgeLines(output);
      return verdict === 'held' ? goesOn(await start()) : verdict;
    },
  };
}

export function expectEnd(error: unknown): undefined {
  if (
    error instanceof SandboxError &&
    error.code === 'ended' &&
    /more (disk )?than|not answer|out of memory/.test(error.message)
  )
    return;
  throw error;
}
