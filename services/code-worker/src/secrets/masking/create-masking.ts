import { createHmac } from 'node:crypto';
import { createVault, maskSecrets, type Redaction, type Vault } from '@fettle/secrets';
import type { Config } from '../../config/config.ts';

/** Replaces secrets by tokens in everything that the model sees in one attempt. */
export interface Masking {
  vault: Vault;
  /** Applied to every text for the model, before the text is cut. */
  mask(text: string): string;
  /** Whether secrets of the repository are masked. The installation's own secrets always are. */
  isOn: boolean;
}

export interface MaskingParts extends Pick<Config, 'workerKey' | 'masksSecrets'> {
  /** Masks the installation's own secrets. */
  maskOwn: Redaction['own'];
}

export function createMasking(
  { maskOwn, workerKey, masksSecrets: isOn }: MaskingParts,
  operationId: string,
): Masking {
  // All workers of the installation create the same tokens for an operation, and nobody without the key can test guesses.
  const vault = createVault(createHmac('sha256', workerKey).update(`masking ${operationId}`).digest('hex'));
  return { vault, isOn, mask: isOn ? (text) => maskSecrets(maskOwn(text), vault) : maskOwn };
}
