import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { PROCESS_WARNING, startProcessToolbox } from './backends/process-backend.ts';
import { openSandbox } from './host/open-sandbox.ts';
import type { Sandbox } from './host/sandbox.ts';

const DEFAULT_SEARCH_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export type BackendName = 'auto' | 'process';

export interface StartSandboxOptions {
  /** `auto` is the strongest that works here; so far there is only `process`. */
  backend: BackendName;
  /** Where the backend keeps what it needs on this machine. */
  folder?: string;
  /** Where commands find their programs. */
  searchPath?: string;
  /** One that is started ahead of time warms up while it waits; this long after its start. */
  warmUpAfterMs?: number;
}

export async function startSandbox(options: StartSandboxOptions): Promise<Sandbox> {
  const toolbox = startProcessToolbox({
    folder: options.folder ?? join(tmpdir(), `fettle-sandboxes-${userInfo().uid}`),
    searchPath: options.searchPath ?? DEFAULT_SEARCH_PATH,
    warmUpAfterMs: options.warmUpAfterMs ?? 0,
  });
  return openSandbox(toolbox, { backend: 'process', warning: PROCESS_WARNING });
}
