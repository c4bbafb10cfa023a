import type { Discovered } from '@fettle/discovery';

/** How npm, pnpm, Yarn 1, later Yarn and bun refuse a lockfile that does not match the manifest. */
const messages =
  /can only install packages when your package\.json and .{1,60} are in sync|ERR_PNPM_(?:OUTDATED_LOCKFILE|LOCKFILE_CONFIG_MISMATCH|LOCKFILE_BREAKING_CHANGE|NO_LOCKFILE)|Your lockfile needs to be updated|The lockfile would have been (?:modified|created) by this install|lockfile had changes, but lockfile is frozen/;

export function isLockfileOutdated({
  exitCode,
  output,
}: {
  exitCode: number | null;
  output: string;
}): boolean {
  return exitCode !== 0 && messages.test(output);
}

/** For each set-up command that needs a lockfile, the one that updates the lockfile in the sandbox only. */
export function alternativesOf(discovered: Discovered | undefined): ReadonlyMap<string, string> {
  return new Map(
    (discovered?.setup ?? []).flatMap(({ command, ifOutdated }) =>
      ifOutdated === undefined ? [] : [[command, ifOutdated]],
    ),
  );
}

export const describeOutdated = (command: string, instead: string): string =>
  `${command} fails, because the lockfile does not match the manifest any more. ${instead} ran in its place. The lockfile is not changed in the repository`;
