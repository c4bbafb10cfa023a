import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { npm } from './ecosystems/npm.ts';

const PATIENCE_MS = 20_000;

/** The registry that npm would use on this machine; the public one where npm is not there or says nothing useful. */
export async function findMachineNpmRegistry(): Promise<string> {
  // Asked in a folder without a project, whose settings are nobody's here.
  const options = { cwd: tmpdir(), timeout: PATIENCE_MS, maxBuffer: 100_000 };
  const asked = await promisify(execFile)('npm', ['config', 'get', 'registry'], options).catch(
    () => undefined,
  );
  const url = URL.parse(asked?.stdout.trim() ?? '');
  const isUsable = url !== null && /^https?:$/.test(url.protocol) && url.username === '';
  return isUsable ? url.href : npm.publicRegistry;
}
