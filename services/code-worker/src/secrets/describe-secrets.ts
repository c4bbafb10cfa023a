/** Describes found secrets to the model and to people. Findings and their excerpts never contain the secret itself. */
import type { ContentObjection } from '@fettle/policy';
import { type Finding, type Secret, secretWords, withheldRule } from '@fettle/secrets';
import type { Remark } from '../propose/remark.ts';
import type { SortedSecrets } from './known-secrets.ts';

const maxListed = 20;
const withheldWords = {
  reason: 'it contains a line of a file that may not be read, or its placeholder',
  instead:
    'Leave it out: read the setting’s name from the code, and say in your answer what a person has to fill in.',
};

export function toObjection({ finding }: Secret): ContentObjection {
  const { rule, line, excerpt } = finding;
  const words = rule === withheldRule ? withheldWords : secretWords;
  return { decision: 'deny', rule, ...words, line, token: excerpt.slice(0, 120) };
}

/** Also redacts file names: they may contain a secret that only the scanner which found it recognises. */
export function toReport(secrets: Secret[]): Finding[] {
  const pieces = secrets.map(({ piece }) => piece.trim()).filter((piece) => piece !== '');
  const redact = (text: string) =>
    pieces.reduce((redacted, piece) => redacted.replaceAll(piece, '[redacted]'), text);
  return secrets.map(({ finding }) => ({
    ...finding,
    file: redact(finding.file),
    excerpt: redact(finding.excerpt),
  }));
}

/** For the model, if the scan of the whole change found secrets that the checks of single files missed. */
export function describeForModel(findings: Finding[]): string {
  return `The change cannot be proposed because it contains secrets:\n${listFindings(findings, describePlace)}\n\n${secretWords.instead} Then finish again.`;
}

/** For the operator, who can allow a secret by its fingerprint. */
export function describeForOperator(findings: Finding[]): string {
  const lines = listFindings(findings, (each) => `${describePlace(each)}, ${each.fingerprint}`);
  return `Nothing was pushed because the change contains secrets:\n${lines}\nRemove them, or allow one with: fettle secrets allow <fingerprint> --reason "…"`;
}

function listFindings(findings: Finding[], describe: (finding: Finding) => string): string {
  const lines = findings.slice(0, maxListed).map((finding) => `- ${describe(finding)}`);
  const rest = findings.length > lines.length ? [`- and ${findings.length - lines.length} more`] : [];
  return [...lines, ...rest].join('\n');
}

const describePlace = ({ file, line, rule, excerpt }: Finding) =>
  `${file}, line ${line}: ${excerpt.slice(0, 120)} (rule ${rule})`;

/** For the reader of the proposal, by file and rule. No excerpts and fingerprints, because the proposal may be public. */
export function listSecretRemarks({ known, allowed }: SortedSecrets): Remark[] {
  const remarks = new Map<string, Remark>();
  const add = ({ finding }: Secret, reason: string) => {
    const { file, rule, line } = finding;
    const key = `${file}\0${rule}\0${reason}`;
    const remark = remarks.get(key) ?? { path: file, rule, reason, tokens: [] };
    if (!remark.tokens.includes(`line ${line}`)) remark.tokens.push(`line ${line}`);
    remarks.set(key, remark);
  };
  for (const secret of known) add(secret, 'it contains a secret, as it did before this change');
  for (const { secret, allowance } of allowed) {
    const { allowedBy, expiresAt, reason } = allowance;
    const until = expiresAt === null ? '' : ` until ${expiresAt.slice(0, 10)}`;
    add(secret, `it contains what looks like a secret, which ${allowedBy} allowed${until} (“${reason}”)`);
  }
  return [...remarks.values()];
}
