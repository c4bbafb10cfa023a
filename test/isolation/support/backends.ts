// The backends that the attempts are made on. Another one is another entry.
import { dirname } from 'node:path';
import { type BackendName, type Sandbox, type SandboxLimits, startSandbox } from '@fettle/sandbox';
import { findProgram } from '../../../packages/sandbox/src/proc/find-program.ts';
import { brokerFor, engine, stopBrokers } from '../../support/brokers.ts';

export interface StartInFolder {
  /** Where the backend keeps what it needs, if it needs a place. */
  folder: string;
  limits?: SandboxLimits;
}

export interface IsolationBackend {
  name: BackendName;
  /** Whether attempts are expected to fail there; without it each attempt says itself what it comes to. */
  isolates: boolean;
  /** Why it cannot be had on this machine. */
  skip?: string;
  start(options: StartInFolder): Promise<Sandbox>;
  /** Ends what it needed beside its sandboxes. */
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

export function findBackend(name: string | undefined): IsolationBackend {
  const found = backends.find((backend) => backend.name === name);
  if (found === undefined) throw new Error(`there is no backend ${name}`);
  return found;
}
