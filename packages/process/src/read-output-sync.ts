/** A separate entry point without execa, which takes long to load. */
import { execFileSync } from 'node:child_process';

/** Returns the standard output of a short program, or undefined if it fails. For code that cannot be asynchronous. */
export function readOutputSync(
  [file = '', ...args]: readonly string[],
  { environment, timeoutMs = 5_000 }: { environment: Record<string, string>; timeoutMs?: number },
): string | undefined {
  try {
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
    return execFileSync(file, args, { env: environment, encoding: 'utf8', stdio, timeout: timeoutMs });
  } catch {
    return undefined;
  }
}
