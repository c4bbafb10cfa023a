import { expect, test } from 'vitest';
import { hasHost, namesHost, parseHosts } from './host-list.ts';

test('hosts, their subdomains, and all', () => {
  const list = parseHosts(' API.example.com:443, .npmjs.org,');
  expect(list).toEqual(['api.example.com', '.npmjs.org']);
  const hosts = [
    'api.example.com',
    'API.example.com.',
    'npmjs.org',
    'registry.npmjs.org',
    'x.api.example.com',
  ];
  expect(hosts.map((host) => hasHost(list, host))).toEqual([true, true, true, true, false]);
  expect(hasHost(list, 'evilnpmjs.org')).toBe(false);
  expect(hasHost(parseHosts('*'), 'anything')).toBe(true);
  expect(namesHost(parseHosts('*'), 'anything')).toBe(false);
});
