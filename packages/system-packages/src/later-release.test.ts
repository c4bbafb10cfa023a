import { expect, test } from 'vitest';
import { composeSource } from './later-release.ts';

test('a later release comes from the mirror that the system has', () => {
  const addresses =
    'https://other.example.org/repo/\nhttp://mirror.example.org/debian/\nhttp://x.example.org/debian-security/';
  expect(composeSource(addresses, 'forky')).toMatch(
    /^deb (\[signed-by=\S+\] )?http:\/\/mirror\.example\.org\/debian\/ forky main\n$/,
  );
});

test.each(['', 'http://archive.example.org/ubuntu/\n', 'http://x.example.org/debian-security/'])(
  'a system without a mirror of Debian has none: %j',
  (addresses) => expect(composeSource(addresses, 'forky')).toBeUndefined(),
);
