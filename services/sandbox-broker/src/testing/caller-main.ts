/** Starts a sandbox with a running command, prints `ready`, and waits to be killed. With `leave`, dies during the start. */
import { setTimeout } from 'node:timers/promises';
import { openSandbox, startDockerToolbox } from '@fettle/sandbox';

const [url = '', mode, waitMs] = process.argv.slice(2);
const starting = startDockerToolbox({ broker: { url, key: process.env.FETTLE_BROKER_KEY ?? '' } });
if (mode === 'leave') {
  await setTimeout(Number(waitMs));
  process.kill(process.pid, 'SIGKILL');
}
const sandbox = await openSandbox(await starting, { backend: 'docker', warning: undefined });
void sandbox.run({ command: 'setsid sleep 600 & trap "" TERM HUP; sleep 600', timeoutMs: 600_000 });
process.stdout.write('ready\n');
await setTimeout(600_000);
