#!/usr/bin/env node
// Runs on whatever Node (20 or newer) finds it, and hands over to the Node 24 that came with the workspace.
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(import.meta.url);
const modules = join(script, '..', '..', '..', '..', 'node_modules');
const workspaceNode = join(modules, '.bin', 'node');
const handedOver = [script, ...process.argv.slice(2)];

if (!existsSync(workspaceNode)) {
  process.stderr.write("fettle: this workspace is not set up yet; run 'npm run setup' in it first.\n");
  process.exitCode = 4;
} else if (realpathSync(workspaceNode) === realpathSync(process.execPath)) {
  // Most of the time to the first output is the compiling of dependencies.
  module.enableCompileCache(join(modules, '.cache', 'fettle-compile'));
  await import('../src/main.ts');
} else if (process.execve) {
  process.execve(workspaceNode, [workspaceNode, ...handedOver]);
} else {
  standInFront(spawn(workspaceNode, handedOver, { stdio: 'inherit' }));
}

/** A Node that cannot become another program passes signals on, and its end back. */
function standInFront(child) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // A terminal sends Ctrl-C to the child as well; a second one would read as impatience.
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal));
  }
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
