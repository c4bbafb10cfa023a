import { type Attempt, judgeLines, type Verdict } from '../support/attempt.ts';
import type { NodeProgram } from '../support/program.ts';
import type { World } from '../support/world.ts';
import { registryPath } from './registry-path.ts';

const LEAVES = { skip: 'it would leave this machine' };

export const network: Attempt[] = [
  atDoor("the host's loopback by TCP", knock('tcp4', '127.0.0.1')),
  atDoor("the host's loopback by TCP over IPv6", knock('tcp6', '::1')),
  atDoor("the host's loopback by UDP", post('udp4', '127.0.0.1')),
  atDoor("the host's loopback by UDP over IPv6", post('udp6', '::1')),
  {
    name: 'an abstract Unix socket of the host',
    onProcess: 'gets out',
    program: {
      perl: `use Socket; socket(my $door, AF_UNIX, SOCK_STREAM, 0) or die;
        if (connect($door, pack("S a*", AF_UNIX, "\\0$ENV{ISO_abstract}"))) { out("it is open") } else { held($!) }`,
    },
  },
  atDoor('a Unix socket of the host by its path', knockAtPath('path')),
  { ...atDoor('a Unix socket of the host in /run', knockAtPath('runPath')), onProcess: 'gets out as root' },
  reach("the host's own addresses", 'facts.addresses', 'gets out'),
  reach(
    'the gateway of the machine, and of a bridge of an engine',
    '"192.0.2.1,172.17.0.1,10.0.2.2,10.0.0.1"',
  ),
  reach('the address at which clouds tell secrets', '"169.254.169.254,fd00:ec2::254"'),
  reach('addresses of the world over IPv4 and IPv6', '"198.51.100.1,2001:db8::1,64:ff9b::c633:6401"'),
  {
    name: 'names by DNS, by the resolver and by hand',
    onProcess: LEAVES,
    program: {
      async node({ dgram, child, out, held }) {
        const found = child.spawnSync('getent', ['ahosts', 'example.com'], { timeout: 20_000 });
        if (String(found.stdout).trim() !== '') out('getent has an answer');
        const query = Buffer.from('abcd01000001000000000000076578616d706c6503636f6d0000010001', 'hex');
        for (const server of ['127.0.0.53', '198.51.100.53', '224.0.0.251']) {
          const socket = dgram.createSocket('udp4');
          await new Promise<void>((resolve) => {
            const finish = (say: () => void): void => {
              say();
              socket.close();
              resolve();
            };
            socket.on('error', (error) => finish(() => held(String(error))));
            socket.on('message', () => finish(() => out(`${server} answered`)));
            socket.send(query, server === '224.0.0.251' ? 5353 : 53, server, (error) => {
              if (error) return finish(() => held(String(error)));
              if (server !== '127.0.0.53') return finish(() => out(`a packet to ${server} was taken`));
              setTimeout(() => finish(() => held('loopback is its own')), 1000);
            });
          });
        }
      },
    },
  },
  {
    name: 'interfaces and routes beside loopback',
    onProcess: { skip: 'the machine may have none' },
    program: {
      node({ fs, os, out, held }) {
        for (const name of Object.keys(os.networkInterfaces()))
          if (name !== 'lo') out(`the interface ${name}`);
        const routes = fs.readFileSync('/proc/net/route', 'utf8').trim().split('\n').slice(1);
        if (routes.length > 0) out(`${routes.length} routes`);
        else held('none');
      },
    },
  },
  ...(
    [
      ['raw', 2, 3, 255],
      ['ICMP', 2, 3, 1],
      ['ping', 2, 2, 1],
      ['raw IPv6', 10, 3, 58],
      ['SCTP', 2, 1, 132],
      ['packet', 17, 3, 0x0300],
      ['vsock', 40, 1, 0],
      ['netlink audit', 16, 3, 9],
      ['netlink firewall', 16, 3, 12],
      ['netlink device events', 16, 3, 15],
      ['kernel crypto', 38, 5, 0],
      ['key management', 15, 3, 2],
      ['Bluetooth', 31, 3, 1],
      ['CAN', 29, 3, 1],
      ['TIPC', 30, 1, 0],
      ['XDP', 44, 3, 0],
    ] as const
  ).map(
    ([kind, family, type, protocol]): Attempt => ({
      name: `a socket of the kind ${kind}`,
      onProcess: kind === 'ping' ? { skip: 'the machine decides who may' } : 'gets out as root',
      program: { perl: `refused("socket", ${family}, ${type}, ${protocol});` },
    }),
  ),
  registryPath,
];

/** Whatever the program says, what counts is also whether the other side heard it. */
function atDoor(name: string, source: string): Attempt {
  return {
    name,
    onProcess: 'gets out',
    program: { node: { toString: () => source } as NodeProgram },
    judge(output: string, { doors }: World): Verdict {
      const verdict = judgeLines(output);
      const came = doors.heard.splice(0).length > 0;
      return came && verdict === 'held' ? 'the server heard it' : verdict;
    },
  };
}

function knock(port: string, host: string): string {
  return connectTo(`{ host: '${host}', port: Number(facts.${port}) }`, port);
}

function knockAtPath(fact: string): string {
  return connectTo(`{ path: facts.${fact} }`, fact);
}

function connectTo(place: string, fact: string): string {
  return `({ net, facts, out, held }) => new Promise((resolve) => {
    if (facts.${fact} === undefined) { held('the machine has no such place'); return resolve(); }
    const socket = net.connect(${place}, () => socket.write('hello from inside'));
    socket.setTimeout(20000, () => socket.destroy(new Error('no answer')));
    socket.on('data', () => { out('it answered'); socket.destroy(); });
    socket.on('error', (error) => held(error));
    socket.on('close', () => resolve());
  })`;
}

function post(fact: 'udp4' | 'udp6', host: string): string {
  return `({ dgram, facts, held }) => new Promise((resolve) => {
    const socket = dgram.createSocket('${fact}');
    socket.on('error', () => {});
    socket.send('hello from inside', Number(facts.${fact} ?? 9), '${host}', () => {
      held('sent; whether it arrived is known outside');
      setTimeout(() => { socket.close(); resolve(); }, 500);
    });
  })`;
}

/** Only "there is no way there" will do: a refusal or a silence came from somewhere. */
function reach(name: string, addresses: string, onProcess: Attempt['onProcess'] = LEAVES): Attempt {
  const source = `async ({ net, facts, out, held }) => {
    for (const host of (${addresses}).split(',').filter(Boolean)) for (const port of [80, 9])
      await new Promise((resolve) => {
        const socket = net.connect({ host, port });
        const finish = (say, what) => { say(host + ' ' + what); socket.destroy(); resolve(); };
        socket.setTimeout(3000, () => finish(out, 'was sent something'));
        socket.on('connect', () => finish(out, 'answered'));
        socket.on('error', ({ code }) =>
          finish(['ENETUNREACH', 'EPERM', 'EACCES', 'EADDRNOTAVAIL'].includes(code) ? held : out, code));
      });
    held('tried all');
  }`;
  return { name, onProcess, program: { node: { toString: () => source } as NodeProgram } };
}
