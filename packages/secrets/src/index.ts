export type { Finding, Severity } from './finding.ts';
export { fingerprintOf } from './fingerprint.ts';
export { createMask } from './masking/create-mask.ts';
export { maskSecrets } from './masking/mask-secrets.ts';
export { findToken, findTokenFlaw, type Unmasked, unmask } from './masking/unmask.ts';
export { createVault, listTokens, secretOf, type Vault } from './masking/vault.ts';
export { type ScanOptions, scanText } from './scan-text.ts';
