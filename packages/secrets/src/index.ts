export type { Finding, Severity } from './finding.ts';
export { type ScanOptions, scanText } from './scan-text.ts';
