/** The sandbox backends that the attempts run on. Add an entry to test another one. */
import { dirname } from 'node:path';
import { type BackendName, type Sandbox, type SandboxLimits, startSandbox } from '@fettle/sandbox';
import { findProgram } from '../../../packages/sandbox/src/proc/find-program.ts';
import { brokerFor, engine, stopBrokers } from '../../support/brokers.ts';

export interface StartInFolder {
  /** The folder for the backend's own files, if it needs one. */
  folder: string;
  limits?: SandboxLimits;
}

export interface IsolationBackend {
  name: BackendName;
  /** Whether attempts must fail. On a backend that does not isolate, each attempt says what to expect. */
  isolates: boolean;
  /** Why this machine cannot run it. */
  skip?: string;
  start(options: StartInFolder): Promise<Sandbox>;
  /** Stops what it started besides its sandboxes. */
  close?(): Promise<void>;
}

const searchPath = `/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:${dirname(process.execPath)}`;

export const backends: IsolationBackend[] = [
  {
    name: 'docker',
    isolates: true,
    ...(engine === undefined ? { skip: 'FETTLE_TEST_ENGINE names no engine' } : {}),
    async start({ folder, limits }) {
      const broker = await brokerFor(limits);
      return startSandbox({ backend: 'docker', searchPath, folder, broker });
    },
    close: stopBrokers,
  },
  {
    name: 'bubblewrap',
    isolates: true,
    ...(findProgram('bwrap', searchPath) === undefined ? { skip: 'bwrap is not on this machine' } : {}),
    start: (options) => startSandbox({ backend: 'bubblewrap', searchPath, ...options }),
  },
  {
    name: 'process',
    isolates: false,
    start: (options) => startSandbox({ backend: 'process', searchPath, ...options }),
  },
];

/**
 * `npm test` makes the quick attempts (network, privilege, secrets, writing) on this one, in test/promises;
 * `npm run test:all` makes them on the others as well.
 */
export const availableBackend = ['bubblewrap', 'docker', 'process']
  .map(findBackend)
  .find(({ skip }) => skip === undefined) as IsolationBackend;
export const otherBackends = backends.filter((backend) => backend !== availableBackend);

export function findBackend(name: string | undefined): IsolationBackend {
  const found = backends.find((backend) => backend.name === name);
  if (found === undefined) throw new Error(`there is no backend ${name}`);
  return found;
}
