export { decodeText } from './decode-text.ts';
export type { Finding, Severity } from './finding.ts';
export { fingerprintOf } from './fingerprint.ts';
export { createMask } from './masking/create-mask.ts';
export { maskSecrets } from './masking/mask-secrets.ts';
export { createRedaction, type Redaction } from './masking/redaction.ts';
export { type Unmasked, unmask } from './masking/unmask.ts';
export { createVault, type Vault } from './masking/vault.ts';
export { listSecrets, type ScanOptions, type Secret, scanText } from './scan-text.ts';
