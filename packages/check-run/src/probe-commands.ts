/** Discovered commands are guesses: those whose program is not in the sandbox cannot run. */
import type { FoundCommand, FoundSetup } from '@fettle/discovery';
import type { Sandbox } from '@fettle/sandbox';

const probeLimits = { timeoutMs: 30_000, maxOutputBytes: 1_000 };

export async function keepRunnable<T extends FoundCommand>(
  sandbox: Sandbox,
  found: T[],
  signal: AbortSignal,
): Promise<{ kept: T[]; missing: T[] }> {
  const runs = new Map<string, boolean>();
  for (const command of new Set(found.map(({ probe }) => probe))) {
    const { exitCode } = await sandbox.run({ command, ...probeLimits, signal });
    signal.throwIfAborted();
    runs.set(command, exitCode === 0);
  }
  return {
    kept: found.filter(({ probe }) => runs.get(probe)),
    missing: found.filter(({ probe }) => !runs.get(probe)),
  };
}

/** The set-up commands whose registry is configured, and why the others cannot run. */
export function keepWithRegistry(
  setup: FoundSetup[],
  names: string[],
): { kept: FoundSetup[]; reasons: string[] } {
  const hasRegistry = ({ registry }: FoundSetup) => names.includes(registry);
  const reasons = setup
    .filter((each) => !hasRegistry(each))
    .map(({ command, registry }) => `${command}: FETTLE_REGISTRIES has no registry named ${registry}`);
  return { kept: setup.filter(hasRegistry), reasons };
}

/** One sentence: what is missing, and what would help. */
export function describeMissing({ command, probe, needs }: FoundCommand): string {
  if (needs !== undefined) return `${command}: it needs ${needs}, which is not in the sandbox; ${advice}`;
  const programs = [...probe.matchAll(/(?:^|&& )command -v ([\w./-]+)/g)].map(([, name]) => `\`${name}\``);
  const isWhole = probe.split(' && ').length === programs.length;
  const names = programs.length > 1 ? `one of ${programs.join(', ')}` : programs.join('');
  return isWhole
    ? `${command}: ${names} is not in the sandbox; ${advice}`
    : `${command}: \`${probe}\` fails in the sandbox; ${advice}`;
}

/** Folders of a person, such as ~/.cargo/bin, are not visible in a sandbox. */
const advice =
  'install it for all users of this machine (for example in /usr/local/bin), or in the sandbox image';
