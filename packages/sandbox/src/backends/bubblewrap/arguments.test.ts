// Walls behind walls: what one of these keeps out another one may keep out too, so that no attempt from inside tells when
// it is gone.
import { expect, test } from 'vitest';
import { wallArguments } from './arguments.ts';

const paths = {
  ...{
    etc: '/made-up/etc',
    node: '/made-up/node',
    toolbox: '/made-up/toolbox',
    protocol: '/made-up/protocol',
    proc: '/made-up/proc',
  },
  ...{
    ignore: '/made-up/ignore',
    globs: '/made-up/globs',
    compileCache: '/made-up/cache',
    folder: '/made-up/sandbox',
  },
};
const walls = wallArguments({ paths, cacheWritable: false, environment: {}, seccompFd: 9, readOnly: [] });

test.each([
  ...['--unshare-all', '--disable-userns', '--assert-userns-disabled', '--uid 1001', '--gid 1001'],
  ...['--cap-drop ALL', '--new-session', '--die-with-parent', '--seccomp 9', '--proc /proc'],
  ...['--remount-ro /', '--clearenv'],
])('%s', (wall) => {
  expect(` ${walls.join(' ')} `).toContain(` ${wall} `);
});

test('nothing of the machine can be written to but the folder of the sandbox', () => {
  const writable = walls.filter((_word, index) => walls[index - 1] === '--bind');
  expect(writable).toEqual(['/made-up/sandbox/root', '/made-up/sandbox/tmp']);
});
