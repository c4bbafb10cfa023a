import { type Check, checks } from './discovered.ts';

/** Fast checks come first, and the build last, unless other checks need it. */
export function orderChecks(afterBuild: Check[] = []): Check[] {
  if (afterBuild.length === 0) return [...checks];
  const early = checks.filter((check) => check !== 'build' && !afterBuild.includes(check));
  return [...early, 'build', ...checks.filter((check) => afterBuild.includes(check))];
}
