import { expect, test } from 'vitest';
import { composeSource } from './later-release.ts';

test('a later release comes from the mirror of the system', () => {
  const urls =
    'https://other.example.org/repo/\nhttp://mirror.example.org/debian/\nhttp://x.example.org/debian-security/';
  expect(composeSource(urls, 'forky')).toMatch(
    /^deb (\[signed-by=\S+\] )?http:\/\/mirror\.example\.org\/debian\/ forky main\n$/,
  );
});

test.each(['', 'http://archive.example.org/ubuntu/\n', 'http://x.example.org/debian-security/'])(
  'a system without a Debian mirror has no source: %j',
  (urls) => expect(composeSource(urls, 'forky')).toBeUndefined(),
);
