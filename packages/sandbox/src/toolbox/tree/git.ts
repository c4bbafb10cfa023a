/** Runs git for the toolbox itself: only on the fresh clone, before any command of the agent. */
import { spawn } from 'node:child_process';
import { markerName } from '../../proc/processes.ts';
import { SandboxError } from '../../protocol/sandbox-error.ts';
import type { Toolbox } from '../toolbox.ts';

const maxErrorBytes = 4096;

export async function runGit(
  toolbox: Toolbox,
  args: string[],
  { signal }: { signal: AbortSignal },
): Promise<Buffer> {
  const child = spawn('git', ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', ...args], {
    cwd: toolbox.workspace,
    env: gitEnvironment(toolbox),
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  const output: Buffer[] = [];
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => {
    if (errors.length < maxErrorBytes) errors += chunk.toString('utf8');
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0)
    throw new SandboxError('tree_refused', `git ${args[0]}: ${errors.trim() || `exit ${code}`}`);
  return Buffer.concat(output);
}

function gitEnvironment({ searchPath, home, marker }: Toolbox): Record<string, string> {
  return {
    PATH: searchPath,
    HOME: home,
    LANG: 'C.UTF-8',
    [markerName]: `${marker}.git`,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
  };
}
