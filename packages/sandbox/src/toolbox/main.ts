/** The toolbox: serves file and command requests over standard input and output, in its working directory, until its input ends. */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { findProgram } from '../proc/find-program.ts';
import { endProcesses, findMarkedProcesses } from '../proc/processes.ts';
import { protocolVersion } from '../protocol/requests.ts';
import { limitCpus } from './limit-cpus.ts';
import { loadMethods } from './methods.ts';
import { serve } from './serve.ts';
import { createToolbox } from './toolbox.ts';
import { warmUp } from './warm-up.ts';

/** A toolbox whose shutdown hangs must not stay alive without a host. */
const maxEndMs = 15_000;

limitCpus(Number(process.env.FETTLE_CPUS ?? 0));
const searchPath = process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin';
const toolbox = createToolbox({
  folder: process.cwd(),
  marker: process.env.FETTLE_TOOLBOX ?? randomBytes(16).toString('hex'),
  searchPath,
  ripgrep: findProgram('rg', searchPath),
  memoryMb: Number(process.env.FETTLE_MEMORY_MB ?? 0),
  // Set by backends with a pid namespace for each sandbox. Checked again, because the toolbox then kills every process that
  // it can: in such a namespace its parent is process 1, and it never runs as root.
  ownsProcesses: process.env.FETTLE_OWN_PROCESSES === '1' && process.ppid <= 1 && process.getuid?.() !== 0,
});

let ending = false;
const connection = serve(toolbox, { input: process.stdin, output: process.stdout, onEnd: end });
connection.sendHello({
  protocol: protocolVersion,
  node: process.version,
  platform: process.platform,
  tools: { git: findProgram('git', searchPath) !== undefined, rg: toolbox.ripgrep !== undefined },
});
toolbox.pipes.prepare();
// Preload: the host requests the registries right after the tree, and loading their server would delay the next requests.
void loadMethods().then(() => import('./registries/loopback-server.ts'));
const warmUpAfterMs = Number(process.env.FETTLE_WARM_UP_AFTER_MS ?? 0);
setTimeout(() => void warmUp(toolbox, connection.hasRequests), warmUpAfterMs).unref();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);

/** The only way to end: the host closes its side of the stream, on purpose or because it died. */
async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  setTimeout(() => process.exit(1), maxEndMs).unref();
  const settled = connection.cancelAll();
  await endProcesses(() => findMarkedProcesses(toolbox.marker));
  await settled;
  // Otherwise Node writes the cache at exit, when its folder may already have been removed.
  flushCompileCache();
  for (const folder of [toolbox.workspace, toolbox.home, toolbox.tmp, toolbox.root]) {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // The folder itself may be a mount point; only its contents matter.
    }
  }
  process.exit(0);
}
