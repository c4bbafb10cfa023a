import { settingList } from './setting-list.ts';

/** Set by Fettle itself, or by its tests. */
const internal =
  /^FETTLE_(?:TEST_|OWN_PROCESSES$|WARM_UP_AFTER_MS$|MEMORY_MB$|CPUS$|TOOLBOX$|COMMAND$|GIT_TOKEN_FILE$)/;

interface WarnLog {
  warn(detail: object, message: string): void;
}

/** For the start of a service. */
export function warnAboutUnknownSettings(
  log: WarnLog,
  environment: Record<string, string | undefined>,
): void {
  const names = findUnknownSettings(environment);
  if (names.length > 0) log.warn({ names }, 'no settings have these names, so they have no effect');
}

/** The variables that look like settings of Fettle and are none, probably misspelt. They have no effect. */
export function findUnknownSettings(environment: Record<string, string | undefined>): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith('FETTLE_') && !internal.test(name))
    .filter((name) => !(name in settingList) && !(name.replace(/_FILE$/, '') in settingList))
    .toSorted();
}
