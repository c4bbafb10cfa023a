/** Which addresses workers may reach through the egress. */
import { BlockList, isIPv6 } from 'node:net';

/** This machine, neighbours on the same link, and the metadata services of clouds. Never allowed. */
const local = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['224.0.0.0', 3],
] as const)
  local.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::', 127],
  ['fe80::', 10],
  ['ff00::', 8],
  ['fd00:ec2::', 32],
] as const)
  local.addSubnet(network, prefix, 'ipv6');
local.addAddress('100.100.100.200', 'ipv4');

/** Networks behind a router, such as a company's. Allowed for hosts that the operator names. */
const privateNetworks = new BlockList();
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
] as const)
  privateNetworks.addSubnet(network, prefix, 'ipv4');
privateNetworks.addSubnet('fc00::', 7, 'ipv6');

export interface AddressRules {
  /** Addresses of the machine itself, as this container sees it. */
  machine: string[];
  /** Whether the operator has named the host. */
  isNamed: boolean;
}

/** Returns why the address may not be reached. An IPv6 address that contains an IPv4 address is judged by that. */
export function judgeAddress(address: string, { machine, isNamed }: AddressRules): string | undefined {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  const embedded = /^(?:::ffff:|64:ff9b::)/i.test(address) && family === 'ipv6';
  if (embedded && !/\.\d+$/.test(address)) return 'it hides another address';
  if (embedded) return judgeAddress(address.slice(address.lastIndexOf(':') + 1), { machine, isNamed });
  if (machine.includes(address) || local.check(address, family)) return 'it is an address of the machine';
  if (!isNamed && privateNetworks.check(address, family))
    return 'it is a private address, and FETTLE_EGRESS_HOSTS does not name the host';
  return undefined;
}
