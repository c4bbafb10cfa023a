/** The token of GitHub's own command line, for users who opt in. */
import { runProgram } from '@fettle/process';
import { usageError } from '../cli-error.ts';
import type { Config } from '../config.ts';
import { findProgram } from '../process/find-program.ts';

const timeoutMs = 10_000;
/** What gh needs to find its login. */
const names = ['HOME', 'PATH', 'GH_CONFIG_DIR', 'XDG_CONFIG_HOME', 'DBUS_SESSION_BUS_ADDRESS'];
const advice = "Run 'gh auth login', set GITHUB_TOKEN, or unset GITHUB_TOKEN_FROM_GH.";

/** The setting for the api. Empty unless the user opted in and nothing else connects GitHub. */
export async function readGhToken({
  github,
  environment,
  searchPath,
}: Pick<Config, 'github' | 'environment' | 'searchPath'>): Promise<{ GITHUB_TOKEN?: string }> {
  if (!github.asksGh) return {};
  const gh = findProgram('gh', searchPath);
  if (gh === undefined) throw usageError('GITHUB_TOKEN_FROM_GH is on, and gh is not installed.', advice);
  const argv = [gh, 'auth', 'token', '--hostname', new URL(github.url).host];
  const given = names.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const { exitCode, stdout } = await runProgram(argv, { environment: Object.fromEntries(given), timeoutMs });
  const token = stdout.toString().trim();
  if (exitCode !== 0 || !/^[\x21-\x7e]+$/.test(token))
    throw usageError(`gh has no token for ${github.url}.`, advice);
  return { GITHUB_TOKEN: token };
}
