import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';

/** The machine's addresses that this container can know: the gateways of its networks, and its own. */
export function findMachineAddresses(): string[] {
  const own = Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address) ?? []);
  return [...own, ...readGateways()];
}

/** Addresses in the kernel's table are hexadecimal, in the byte order of the CPU. */
function readGateways(): string[] {
  let table = '';
  try {
    table = readFileSync('/proc/net/route', 'latin1');
  } catch {
    // Not Linux.
  }
  return table
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t')[2] ?? '')
    .filter((gateway) => /^[0-9A-F]{8}$/.test(gateway) && gateway !== '00000000')
    .map((gateway) => [...Buffer.from(gateway, 'hex').reverse()].join('.'));
}
