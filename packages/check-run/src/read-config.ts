import { type RepositoryConfig, readRepositoryConfig } from '@fettle/contract/repository-config';
import { type Discovered, discover, toCommands } from '@fettle/discovery';
import { readBlobAt } from '@fettle/git';
import { openMirrorRoot } from './mirror-root.ts';

const maxBytes = 64_000;

export interface FoundConfig {
  config: RepositoryConfig;
  /** What discovery found, if the repository has no config of its own. */
  discovered?: Discovered;
}

export type ConfigReading = ({ ok: true } & FoundConfig) | { ok: false; message: string };

/** Reads `.fettle/config.yml` of a commit. Without one, discovery reads the files at the root of the repository. */
export async function readConfig(mirror: string, commit: string): Promise<ConfigReading> {
  const file = await readBlobAt(mirror, commit, '.fettle/config.yml', { maxBytes });
  if (file.kind === 'too_large') return { ok: false, message: `it is larger than ${maxBytes} bytes` };
  // An error, because ignoring the config would lift its restrictions.
  if (file.kind === 'link')
    return { ok: false, message: 'it is a symbolic link, but must be a regular file' };
  if (file.kind === 'blob') return readRepositoryConfig(file.bytes.toString('utf8'));
  const reading = readRepositoryConfig('');
  if (!reading.ok) return reading;
  const discovered = await discover(await openMirrorRoot(mirror, commit));
  return { ok: true, config: { ...reading.config, ...toCommands(discovered) }, discovered };
}
