import { createHmac } from 'node:crypto';
import { createVault, maskSecrets, type Redaction, type Vault } from '@fettle/secrets';
import type { Config } from '../../config/config.ts';

/** What the model sees of secrets in one attempt. */
export interface Masking {
  vault: Vault;
  /** Everything that goes to the model goes through here, where it is formed and before it is cut. */
  mask(text: string): string;
  /** Whether secrets of the repository are masked; the installation's own always are. */
  isOn: boolean;
}

export interface MaskingParts extends Pick<Config, 'workerKey' | 'masksSecrets'> {
  /** Takes out what the installation itself must not tell. */
  maskOwn: Redaction['own'];
}

export function createMasking(
  { maskOwn, workerKey, masksSecrets: isOn }: MaskingParts,
  operationId: string,
): Masking {
  // Every worker of the installation makes the same tokens for an operation, and nobody else can try guesses on them.
  const vault = createVault(createHmac('sha256', workerKey).update(`masking ${operationId}`).digest('hex'));
  return { vault, isOn, mask: isOn ? (text) => maskSecrets(maskOwn(text), vault) : maskOwn };
}
