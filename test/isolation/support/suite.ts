/** Runs every attempt of a group as a test on each backend. */
import { readdirSync } from 'node:fs';
import type { Sandbox, SandboxLimits } from '@fettle/sandbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Attempt,
  judgeLines,
  type ProgramAttempt,
  runProgram,
  type Stage,
  type Verdict,
} from './attempt.ts';
import { backends, type IsolationBackend } from './backends.ts';
import { plantWorld, type World } from './world.ts';

const isRoot = process.getuid?.() === 0;

export function tryAll(group: string, attempts: Attempt[], on = backends): void {
  describe.each(on)(`${group} on $name`, (backend) => {
    let world: World;
    let troupe: Troupe;
    beforeAll(async () => {
      if (backend.skip !== undefined) return;
      world = await plantWorld();
      troupe = createTroupe(backend, world);
    });
    afterAll(async () => {
      await troupe?.close();
      await backend.close?.();
      const left = world === undefined ? [] : listSandboxFolders(world.sandboxes);
      await world?.remove();
      expect(left, 'folders of sandboxes that are over').toEqual([]);
    });

    for (const attempt of attempts) {
      test(attempt.name, async ({ skip }) => {
        skip(backend.skip !== undefined, backend.skip);
        const why = backend.isolates ? attempt.notPromised?.(backend) : reasonToSkip(attempt);
        skip(why !== undefined, why);
        const verdict = await troupe.make(attempt);
        if (backend.isolates || attempt.onProcess === 'held') expect(verdict).toBe('held');
        else expect(verdict, 'an attempt that fails where nothing isolates proves nothing').not.toBe('held');
      });
    }
  });
}

function reasonToSkip({ onProcess }: Attempt): string | undefined {
  if (typeof onProcess === 'object') return onProcess.skip;
  return onProcess === 'gets out as root' && !isRoot ? 'only root would get out' : undefined;
}

interface Troupe {
  make(attempt: Attempt): Promise<Verdict>;
  close(): Promise<void>;
}

/** Programs share a sandbox for as long as it lives; a scenario has its own. */
function createTroupe(backend: IsolationBackend, world: World): Troupe {
  const start = (limits?: SandboxLimits) =>
    backend.start({ folder: world.sandboxes, ...(limits === undefined ? {} : { limits }) });
  let common: Sandbox | undefined;

  async function makeProgram({ program, judge = judgeLines }: ProgramAttempt): Promise<Verdict> {
    common ??= await start();
    try {
      return judge(await runProgram(common, program, world), world);
    } catch (error) {
      await common.close();
      common = undefined;
      throw error;
    }
  }

  async function makeScenario(scenario: (stage: Stage) => Promise<Verdict>): Promise<Verdict> {
    const started: Sandbox[] = [];
    try {
      return await scenario({
        backend,
        world,
        async start(limits) {
          const sandbox = await start(limits);
          started.push(sandbox);
          return sandbox;
        },
      });
    } finally {
      for (const sandbox of started) await sandbox.close();
    }
  }

  return {
    make: (attempt) => ('scenario' in attempt ? makeScenario(attempt.scenario) : makeProgram(attempt)),
    close: async () => common?.close(),
  };
}

function listSandboxFolders(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.startsWith('sandbox-'));
}
