/**
 * The entrance: passes TCP connections from the published port on to the api, whose networks have no way out and can
 * therefore publish no port. Usage: entrance-main.ts <port> <host> <port of the host>.
 */
import { connect, createServer } from 'node:net';
import { joinStreams } from './join-streams.ts';

const [port, host, targetPort] = process.argv.slice(2);

const server = createServer({ allowHalfOpen: true, noDelay: true }, (caller) => {
  const options = { host: String(host), port: Number(targetPort), allowHalfOpen: true, noDelay: true };
  joinStreams(caller, connect(options));
});
server.listen(Number(port));
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0));
