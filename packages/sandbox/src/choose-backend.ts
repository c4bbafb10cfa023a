/** Chooses the backend. `auto` is the strongest one that can start a sandbox here. It never falls back to `process`. */
import type { Backend, BackendName, BackendOptions, StartOptions } from './backends/backend.ts';
import { openBubblewrap } from './backends/bubblewrap/bubblewrap-backend.ts';
import { openDocker } from './backends/docker-backend.ts';
import { openProcess } from './backends/process-backend.ts';
import type { Sandbox } from './host/sandbox.ts';

export type BackendChoice = BackendName | 'auto';

export interface Chosen {
  ok: true;
  backend: Backend;
  /** The sandbox that was started as a trial. The caller owns it. */
  sandbox: Sandbox;
  /** Stronger backends, and why they do not work here. */
  passedOver: Refusal[];
}
export interface Refusal {
  name: BackendName;
  reason: string;
}
export type Choice = Chosen | { ok: false; refusals: Refusal[] };

type Opener = (options: BackendOptions) => Backend | Promise<Backend>;

/** Strongest first. */
const openers: Record<BackendName, Opener> = {
  docker: openDocker,
  bubblewrap: openBubblewrap,
  process: openProcess,
};

export async function chooseBackend(
  wanted: BackendChoice,
  { warmUpAfterMs = 0, ...options }: BackendOptions & StartOptions,
): Promise<Choice> {
  const names = Object.keys(openers) as BackendName[];
  const candidates = wanted === 'auto' ? names.filter((name) => name !== 'process') : [wanted];
  const refusals: Refusal[] = [];
  for (const name of candidates) {
    try {
      const backend = await openers[name](options);
      return { ok: true, backend, sandbox: await backend.start({ warmUpAfterMs }), passedOver: refusals };
    } catch (error) {
      refusals.push({ name, reason: (error as Error).message });
    }
  }
  return { ok: false, refusals };
}

/** One line for the user. */
export function describeRefusals(refusals: Refusal[]): string {
  return refusals.map(({ name, reason }) => `${name}: ${reason}`).join('; ');
}

export async function openBackend(name: BackendName, options: BackendOptions): Promise<Backend> {
  return openers[name](options);
}
