#!/usr/bin/env node
// Runs on any Node from version 20, and hands over to the Node 24 of the workspace.
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(import.meta.url);
const modules = join(script, '..', '..', '..', '..', 'node_modules');
const workspaceNode = join(modules, '.bin', 'node');
const args = [script, ...process.argv.slice(2)];

if (!existsSync(workspaceNode)) {
  process.stderr.write("fettle: this workspace is not set up. Run 'npm run setup' in it first.\n");
  process.exitCode = 4;
} else if (realpathSync(workspaceNode) === realpathSync(process.execPath)) {
  // Compiling the dependencies takes most of the start-up time.
  module.enableCompileCache(join(modules, '.cache', 'fettle-compile'));
  await import('../src/main.ts');
} else if (process.execve) {
  process.execve(workspaceNode, [workspaceNode, ...args]);
} else {
  forwardSignals(spawn(workspaceNode, args, { stdio: 'inherit' }));
}

/** For a Node without execve: passes signals to the child, and exits with its exit code. */
function forwardSignals(child) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // A terminal sends Ctrl-C to the child as well. A second SIGINT would force it to exit at once.
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal));
  }
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
