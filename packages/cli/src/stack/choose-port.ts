import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { CliError, exitCodes } from '../cli-error.ts';

/** Returns a port that is free right now: the wanted one, or any for 0. */
export async function choosePort(host: string, wanted: number): Promise<number> {
  const server = createServer().listen(wanted, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError('port_in_use', `port ${wanted} on ${host} cannot be used (${code})`, {
      exitCode: exitCodes.unavailable,
      advice:
        'Stop the program that listens there, or choose another port with --port or FETTLE_PORT (0 picks a free one).',
    });
  }
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** The URL at which this machine reaches a server that listens on that address. */
export function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
