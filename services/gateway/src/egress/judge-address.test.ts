import { expect, test } from 'vitest';
import { judgeAddress } from './judge-address.ts';

const judge = (address: string, isNamed = false) =>
  judgeAddress(address, { machine: ['172.30.0.1', '203.0.113.7'], isNamed });

test.each([
  '127.0.0.1',
  '0.0.0.0',
  '169.254.169.254',
  '100.100.100.200',
  '172.30.0.1',
  '203.0.113.7',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  'fe80::1',
  'fd00:ec2::254',
  '::ffff:127.0.0.1',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '64:ff9b::a9fe:a9fe',
])('%s is never reached', (address) => {
  expect(judge(address)).toBeDefined();
  expect(judge(address, true)).toBeDefined();
});

test.each(['10.1.2.3', '172.16.0.9', '192.168.1.5', '100.64.0.1', 'fd12::1'])(
  'the private address %s is reached if the operator names the host',
  (address) => {
    expect(judge(address)).toContain('FETTLE_EGRESS_HOSTS');
    expect(judge(address, true)).toBeUndefined();
  },
);

test.each(['93.184.215.14', '2606:4700::6810:84e5', '172.15.0.1', '169.253.0.1'])(
  '%s is reached',
  (address) => {
    expect(judge(address)).toBeUndefined();
  },
);
