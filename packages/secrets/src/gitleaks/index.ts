export { findGitleaks } from './find-gitleaks.ts';
export { GitleaksError } from './gitleaks-error.ts';
export { type NamedText, scanTextsWithGitleaks } from './scan-texts.ts';
