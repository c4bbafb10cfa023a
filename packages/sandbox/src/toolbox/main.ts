// The toolbox: serves file and command requests over standard input and output, from the folder that it is
// started in, until its input ends.
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { findProgram } from '../proc/find-program.ts';
import { endProcesses, findMarkedProcesses } from '../proc/processes.ts';
import { protocolVersion } from '../protocol/requests.ts';
import { loadMethods } from './methods.ts';
import { serve } from './serve.ts';
import { createToolbox } from './toolbox.ts';
import { warmUp } from './warm-up.ts';

/** An end that hangs must not keep a toolbox alive that nobody talks to. */
const maxEndMs = 15_000;

const searchPath = process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin';
const toolbox = createToolbox({
  folder: process.cwd(),
  marker: process.env.FETTLE_TOOLBOX ?? randomBytes(16).toString('hex'),
  searchPath,
  ripgrep: findProgram('rg', searchPath),
  // Set by backends with a process namespace for each sandbox. Who ends everything it may end looks twice: there, the
  // toolbox is the first after process 1, and never root.
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
// The host asks for registries as soon as there is a tree, and loading their server would hold up what comes after.
void loadMethods().then(() => import('./registries/loopback-server.ts'));
const warmUpAfterMs = Number(process.env.FETTLE_WARM_UP_AFTER_MS ?? 0);
setTimeout(() => void warmUp(toolbox, connection.isAsked), warmUpAfterMs).unref();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);

/** There is one way to end, taken when the host says so and when it dies: its end of the stream closes. */
async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  setTimeout(() => process.exit(1), maxEndMs).unref();
  const settled = connection.cancelAll();
  await endProcesses(() => findMarkedProcesses(toolbox.marker));
  await settled;
  // Else node writes it on exit, when whoever waits for the folder to go may have removed its place too.
  flushCompileCache();
  for (const folder of [toolbox.workspace, toolbox.home, toolbox.tmp, toolbox.root]) {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // The folder itself may be a mount of the backend; what is in it is what counts.
    }
  }
  process.exit(0);
}
