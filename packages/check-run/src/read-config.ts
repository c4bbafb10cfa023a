import {
  type NamedPart,
  type RepositoryConfig,
  readRepositoryConfig,
} from '@fettle/contract/repository-config';
import { type Discovered, discover, toCommands } from '@fettle/discovery';
import { readBlobAt } from '@fettle/git';
import { openMirrorRoot } from './mirror-root.ts';

const maxBytes = 64_000;

export interface FoundConfig {
  config: RepositoryConfig;
  hasFile: boolean;
  /** The parts that the file names. */
  named: NamedPart[];
  /** What discovery found for the parts that the file does not name. Undefined if it names both. */
  discovered?: Discovered;
}

export type ConfigReading = ({ ok: true } & FoundConfig) | { ok: false; message: string };

/** Reads `.fettle/config.yml` of a commit. Discovery finds the set-up and the checks that it does not name. */
export async function readConfig(mirror: string, commit: string): Promise<ConfigReading> {
  const file = await readBlobAt(mirror, commit, '.fettle/config.yml', { maxBytes });
  if (file.kind === 'too_large') return { ok: false, message: `it is larger than ${maxBytes} bytes` };
  // An error, because ignoring the config would lift its restrictions.
  if (file.kind === 'link')
    return { ok: false, message: 'it is a symbolic link, but must be a regular file' };
  const hasFile = file.kind === 'blob';
  const reading = readRepositoryConfig(hasFile ? file.bytes.toString('utf8') : '');
  if (!reading.ok) return reading;
  const { config, named } = reading;
  if (named.length === 2) return { ...reading, hasFile };
  const discovered = leaveOut(await discover(await openMirrorRoot(mirror, commit)), named);
  const { setup, commands } = toCommands(discovered);
  return {
    ...{ ok: true, hasFile, named, discovered },
    config: {
      ...config,
      ...(!named.includes('setup') && { setup }),
      ...(!named.includes('commands') && { commands }),
    },
  };
}

function leaveOut(discovered: Discovered, named: NamedPart[]): Discovered {
  if (named.includes('setup')) return { ...discovered, setup: [] };
  // Remarks are about checks that were not used.
  return named.includes('commands') ? { ...discovered, commands: {}, remarks: [] } : discovered;
}
