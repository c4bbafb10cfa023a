import { tmpdir } from 'node:os';
import { runProgram } from '@fettle/process';
import { npm } from './ecosystems/npm.ts';

const timeoutMs = 20_000;

/** The registry that npm uses on this machine, or the public one where npm is missing or prints no usable address. */
export async function findMachineNpmRegistry(environment: Record<string, string>): Promise<string> {
  // In a folder without a project, so that no project's .npmrc applies.
  const options = { cwd: tmpdir(), environment, timeoutMs, maxBytes: 100_000 };
  const { exitCode, stdout } = await runProgram(['npm', 'config', 'get', 'registry'], options);
  const url = exitCode === 0 ? URL.parse(stdout.toString().trim()) : null;
  const isUsable = url !== null && /^https?:$/.test(url.protocol) && url.username === '';
  return isUsable ? url.href : npm.publicRegistry;
}
