import { type RepositoryConfig, readRepositoryConfig } from '@fettle/contract/repository-config';
import { discover, type Findings, toCommands } from '@fettle/discovery';
import { openMirrorRoot, readerOf } from '../mirror/mirror.ts';

const configBytes = 64_000;

export interface Rules {
  config: RepositoryConfig;
  /** Set where the repository says nothing itself: what its files say. */
  found?: Findings;
}

export type RulesReading = ({ ok: true } & Rules) | { ok: false; message: string };

/** How to work on the repository: its own `.fettle/config.yml`, else what the files at its root say. */
export async function readRules(mirror: string, commit: string): Promise<RulesReading> {
  const own = await readerOf(mirror, commit)('.fettle/config.yml', configBytes);
  if (own && 'tooLarge' in own) return { ok: false, message: `it has more than ${configBytes} bytes` };
  // Rules that are not read would be rules that do not hold.
  if (own && 'link' in own) return { ok: false, message: 'it is a symbolic link, and has to be a file' };
  const reading = readRepositoryConfig(own?.text ?? '');
  if (own !== undefined || !reading.ok) return reading;
  const found = await discover(await openMirrorRoot(mirror, commit));
  return { ok: true, config: { ...reading.config, ...toCommands(found) }, found };
}
