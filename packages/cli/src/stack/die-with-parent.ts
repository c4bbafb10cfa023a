// Loaded into each service before its main file. The service's standard input is a pipe that the CLI holds
// open and never writes to: when it ends, the CLI is gone, by kill -9 too, and nobody else would stop us.
const graceMs = 10_000;

process.stdin.on('close', () => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), graceMs).unref();
});
process.stdin.on('error', () => {});
process.stdin.resume();
// The pipe alone keeps no process alive.
(process.stdin as Partial<import('node:net').Socket>).unref?.();
