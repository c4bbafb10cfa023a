import { expect, test } from 'vitest';
import { adviseOn } from './sandbox-advice.ts';

const said = (text: string) => `the sandbox did not start: the toolbox has ended: ${text}`;

test.each([
  ['bubblewrap', 'bubblewrap (bwrap) is not on the PATH', /^Install bubblewrap/],
  [
    'bubblewrap',
    "/usr/fettle is in /usr, which every sandbox can read; move Fettle's home elsewhere",
    /FETTLE_HOME/,
  ],
  ['bubblewrap', said('bwrap: Unknown option --disable-userns'), /0\.8/],
  ['bubblewrap', said('bwrap: No permissions to create new namespace, likely because …'), /user namespaces/],
  ['bubblewrap', said('bwrap: setting up uid map: Permission denied'), /user namespaces/],
  ['bubblewrap', said('bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted'), /user namespaces/],
  ['bubblewrap', said("bwrap: Can't mount proc on /newroot/proc: Operation not permitted"), /in a container/],
  ['bubblewrap', said('bwrap: execvp prlimit: No such file or directory'), /util-linux/],
  ['bubblewrap', 'something new', /bwrap --unshare-all/],
  ['docker', 'no container engine answers at /var/run/docker.sock (EACCES)', /socket/],
  ['docker', 'no container engine answers at /var/run/docker.sock (ENOENT)', /^Start a Docker engine/],
  [
    'docker',
    'the sandbox broker refused: the engine does not have the image fettle-sandbox:1',
    /sandbox:image/,
  ],
  ['docker', 'FETTLE_SANDBOX_IMAGES: x:1 does not know the users of …: build it anew', /sandbox:image/],
  ['docker', 'FETTLE_SANDBOX_RUNTIME: the engine does not know this runtime', /setting/],
  ['docker', 'something new', /log/],
] as const)('%s: %s', (backend, reason, advice) => {
  expect(adviseOn(backend, reason)).toMatch(advice);
});
