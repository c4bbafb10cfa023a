/** Replaces commands whose program is missing by the first alternative whose program is available. */
import type { Discovered, FoundCommand } from '@fettle/discovery';
import type { Sandbox } from '@fettle/sandbox';
import { keepRunnable } from './probe-commands.ts';

export async function chooseAvailable(
  sandbox: Sandbox,
  discovered: Discovered,
  signal: AbortSignal,
): Promise<Discovered> {
  const commands: Discovered['commands'] = {};
  for (const [check, found] of Object.entries(discovered.commands) as [
    keyof Discovered['commands'],
    FoundCommand,
  ][])
    commands[check] = await chooseOne(sandbox, found, signal);
  return { ...discovered, commands };
}

async function chooseOne(sandbox: Sandbox, found: FoundCommand, signal: AbortSignal): Promise<FoundCommand> {
  if (found.instead === undefined) return found;
  for (const each of [found, ...found.instead]) {
    const { kept } = await keepRunnable(sandbox, [each], signal);
    if (kept.length > 0) return each;
  }
  return found;
}
