/**
 * Several of these options protect against the same attack, so no attack from inside the sandbox would reveal that one of
 * them is missing.
 */
import { expect, test } from 'vitest';
import { bwrapArguments } from './arguments.ts';

const paths = {
  ...{ etc: '/made-up/etc', node: '/made-up/node', toolbox: '/made-up/toolbox', proc: '/made-up/proc' },
  ...{ protocol: '/made-up/protocol', ignore: '/made-up/ignore', globs: '/made-up/globs' },
  ...{ compileCache: '/made-up/cache', folder: '/made-up/sandbox' },
};
const argv = bwrapArguments({ paths, cacheWritable: false, environment: {}, seccompFd: 9, readOnly: [] });

test.each([
  ...['--unshare-all', '--disable-userns', '--assert-userns-disabled', '--uid 1001', '--gid 1001'],
  ...['--cap-drop ALL', '--new-session', '--die-with-parent', '--seccomp 9', '--proc /proc'],
  ...['--remount-ro /', '--clearenv'],
])('passes %s', (option) => {
  expect(` ${argv.join(' ')} `).toContain(` ${option} `);
});

test('makes only the sandbox folder writable', () => {
  const writable = argv.filter((_word, index) => argv[index - 1] === '--bind');
  expect(writable).toEqual(['/made-up/sandbox/root', '/made-up/sandbox/tmp']);
});
