/**
 * Loaded into a Node service before its main file. The service's standard input is a pipe that the parent holds open and
 * never writes to. When the pipe ends, the parent is dead, and no other process would stop the service.
 */
const graceMs = 10_000;

process.stdin.on('close', () => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), graceMs).unref();
});
process.stdin.on('error', () => {});
process.stdin.resume();
// The pipe alone does not keep the process alive.
(process.stdin as Partial<import('node:net').Socket>).unref?.();
