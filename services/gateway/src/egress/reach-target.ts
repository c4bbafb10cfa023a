/** Opens the connection of the egress to a host, directly or through the operator's proxy. */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { request } from 'node:http';
import { request as requestTls } from 'node:https';
import { connect, isIP, type Socket } from 'node:net';
import type { Config } from '../config.ts';
import { hasHost, namesHost } from './host-list.ts';
import { judgeAddress } from './judge-address.ts';

const connectTimeoutMs = 20_000;

/** The operator's rules do not allow this host. The message is for the worker's log. */
export class RefusedError extends Error {
  override name = 'RefusedError';
}

export interface Target {
  host: string;
  port: number;
}

export interface ReachOptions {
  config: Pick<Config, 'hosts' | 'proxy'>;
  machine: string[];
}

export async function reachTarget(
  { host, port }: Target,
  scheme: 'http' | 'https',
  { config, machine }: ReachOptions,
): Promise<Socket> {
  const refuse = (why: string): never => {
    throw new RefusedError(`${host} may not be reached: ${why}`);
  };
  if (!hasHost(config.hosts, host)) refuse('FETTLE_EGRESS_HOSTS does not list it');
  const rules = { machine, isNamed: namesHost(config.hosts, host) };
  const proxy = hasHost(config.proxy.except, host) ? undefined : config.proxy[scheme];
  if (proxy !== undefined) {
    const why = isIP(host) === 0 ? undefined : judgeAddress(host, rules);
    if (why !== undefined) refuse(why);
    return tunnel(new URL(proxy), { host, port });
  }
  const addresses = await lookup(host, { all: true });
  // The connection goes to the address that was judged: a second lookup could return another one.
  let flaw: string | undefined;
  let failure: unknown;
  for (const { address } of addresses) {
    const why = judgeAddress(address, rules);
    if (why !== undefined) {
      flaw = why;
      continue;
    }
    try {
      return await open(address, port);
    } catch (error) {
      failure = error;
    }
  }
  throw failure ?? refuse(flaw ?? 'it has no address');
}

async function open(address: string, port: number): Promise<Socket> {
  const socket = connect({ host: address, port, allowHalfOpen: true, noDelay: true });
  socket.setTimeout(connectTimeoutMs, () => socket.destroy(new Error('the connection timed out')));
  await once(socket, 'connect');
  socket.setTimeout(0);
  return socket;
}

function tunnel(proxy: URL, { host, port }: Target): Promise<Socket> {
  const path = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const credentials = [proxy.username, proxy.password].map(decodeURIComponent).join(':');
  const headers = {
    host: path,
    ...(proxy.username !== '' && {
      'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}`,
    }),
  };
  const start = proxy.protocol === 'https:' ? requestTls : request;
  const options = { method: 'CONNECT', path, headers, agent: false, timeout: connectTimeoutMs };
  return new Promise((resolve, reject) => {
    const asked = start(proxy, options);
    asked.on('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(`the proxy refused the connection with status ${statusCode}`));
    });
    asked.on('response', ({ statusCode }) => {
      asked.destroy();
      reject(new Error(`the proxy refused the connection with status ${statusCode}`));
    });
    asked.on('timeout', () => asked.destroy(new Error('the proxy did not answer')));
    asked.on('error', reject);
    asked.end();
  });
}
