import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BackendName, BackendOptions, StartOptions } from './backends/backend.ts';
import { openBackend } from './choose-backend.ts';
import type { Sandbox } from './host/sandbox.ts';

const defaultSearchPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export interface StartSandboxOptions extends Partial<BackendOptions>, StartOptions {
  backend: BackendName;
}

/** Starts a single sandbox. To start several, open the backend once with `openBackend`. */
export async function startSandbox({
  backend,
  warmUpAfterMs = 0,
  ...options
}: StartSandboxOptions): Promise<Sandbox> {
  const folder = join(tmpdir(), `fettle-sandboxes-${process.getuid?.() ?? 'user'}`);
  const opened = await openBackend(backend, { folder, searchPath: defaultSearchPath, ...options });
  return opened.start({ warmUpAfterMs });
}
