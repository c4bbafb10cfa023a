/** Who reaches whom: measured from inside of the containers, and as docs/security.md promises it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { enter, run } from './engine.ts';
import type { Installation } from './installation.ts';

const services = ['api', 'code-worker', 'sandbox-broker', 'egress', 'entrance', 'postgres', 'redis'];
const hostPort = 8099;
/** Addresses of the machine, which the test adds: what is behind a router, and the metadata service of a cloud. */
const [elsewhere, metadata] = ['203.0.113.1', '169.254.169.254'];
/** Where engines put the networks of containers. */
const privateNetworks = ['172.16.0.0/12', '192.168.0.0/16'];
const ports: Record<string, number> = {
  api: 4747,
  postgres: 5432,
  redis: 6379,
  'sandbox-broker': 4748,
  egress: 3128,
  entrance: 4747,
};

/** Rows and cells of the table, by their names. A cell is `yes` or `–`. */
export type Zones = Record<string, Record<string, string>>;

export function readPromisedZones(): Zones {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/security.md'), 'utf8');
  const table = /^\| from \\ to .*(?:\n\|.*)+/m.exec(page)?.[0] ?? '';
  const [head = [], , ...rows] = table.split('\n').map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
  return Object.fromEntries(
    rows.map(([name = '', ...cells]) => [
      name,
      Object.fromEntries(cells.map((cell, index) => [head[index + 1] ?? '', cell])),
    ]),
  );
}

/** Listens on all addresses of the machine, beside the engine, while the connections are tried. */
export async function measureZones(installation: Installation): Promise<Zones> {
  for (const address of [elsewhere, metadata])
    await run(enter(['ip', 'address', 'replace', `${address}/32`, 'dev', 'lo']));
  // What the machine has no route to must not go to its router, behind which something may answer.
  for (const network of privateNetworks) await run(enter(['ip', 'route', 'replace', 'unreachable', network]));
  const program = `require('net').createServer((s) => s.end()).listen(${hostPort}, '0.0.0.0', () => console.log('ready'))`;
  const [command = '', ...args] = enter([process.execPath, '--eval', program]);
  const listener = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(listener.stdout, 'data');
    const rows: Zones = {};
    await Promise.all(
      services.map(async (service) => {
        rows[service] = await measure(installation, service);
      }),
    );
    rows['code-worker, by the egress'] = await measureThroughEgress(installation);
    return rows;
  } finally {
    listener.kill('SIGKILL');
    for (const address of [elsewhere, metadata])
      await run(enter(['ip', 'address', 'delete', `${address}/32`, 'dev', 'lo']), { mayFail: true });
    for (const network of privateNetworks)
      await run(enter(['ip', 'route', 'delete', 'unreachable', network]), { mayFail: true });
  }
}

/** The addresses of services, because most names do not resolve in other networks. */
async function findTargets({ compose, docker }: Installation, from: string): Promise<[string, string[]][]> {
  const targets: [string, string[]][] = [];
  for (const [service, port] of Object.entries(ports)) {
    if (service === from) continue;
    const id = (await compose('ps', '--quiet', service)).trim();
    const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}';
    const addresses = (await docker('inspect', '--format', format, id)).trim().split(' ');
    targets.push([service, addresses.map((address) => `${address} ${port}`)]);
  }
  const own = (await compose('ps', '--quiet', from)).trim();
  const gateways = await docker(
    'inspect',
    '--format',
    '{{range .NetworkSettings.Networks}}{{.Gateway}} {{.IPAddress}} {{end}}',
    own,
  );
  // Where a network has no gateway, its first address would be the machine's.
  const machine = gateways
    .trim()
    .split(' ')
    .map((address) => address.replace(/\.\d+$/, '.1'));
  return [
    ...targets,
    ['other networks', [`${elsewhere} ${hostPort}`]],
    ['metadata address', [`${metadata} ${hostPort}`]],
    ["host's ports", [...new Set(machine)].map((address) => `${address} ${hostPort}`)],
  ];
}

async function measure(installation: Installation, from: string): Promise<Zones[string]> {
  const targets = await findTargets(installation, from);
  const tries = targets.flatMap(([name, places]) =>
    places.map((place) => {
      const [address, port] = place.split(' ');
      return `(timeout 3 bash -c ': >/dev/tcp/${address}/${port}' 2>/dev/null && echo "${name}") &`;
    }),
  );
  const script = `${tries.join('\n')}\nwait`;
  const reached = (await installation.compose('exec', '-T', from, 'bash', '-c', script)).split('\n');
  return describe(
    targets.map(([name]) => name),
    (name) => reached.includes(name),
  );
}

async function measureThroughEgress(installation: Installation): Promise<Zones[string]> {
  const targets = await findTargets(installation, 'code-worker');
  const program = `
    const { request } = require('node:http');
    for (const [name, places] of ${JSON.stringify(targets)}) for (const place of places) {
      const asked = request({ host: 'egress', port: 3128, method: 'CONNECT', path: place.replace(' ', ':'), agent: false });
      asked.on('connect', ({ statusCode }, socket) => { if (statusCode === 200) console.log(name); socket.destroy(); });
      asked.on('error', () => {}); asked.end();
    }`;
  const reached = (await installation.compose('exec', '-T', 'code-worker', 'node', '--eval', program)).split(
    '\n',
  );
  return describe(
    targets.map(([name]) => name),
    (name) => reached.includes(name),
  );
}

function describe(names: string[], isReached: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, isReached(name) ? 'yes' : '–']));
}
