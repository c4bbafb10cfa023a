/** What is said of secrets, to the model and to people. Findings hold no secret; excerpts are without any. */
import type { ContentObjection } from '@fettle/policy';
import { type Finding, type Secret, secretWords } from '@fettle/secrets';
import type { Remark } from '../propose/remarks.ts';
import type { Sorted } from './known-secrets.ts';

const maxListed = 20;

export function toObjection({ finding }: Secret): ContentObjection {
  const { rule, line, excerpt } = finding;
  return { decision: 'deny', rule, ...secretWords, line, token: excerpt.slice(0, 120) };
}

/** A secret may stand in the name of the file, too, and only the scanner that found it knows it there. */
export function toTell(secrets: Secret[]): Finding[] {
  const pieces = secrets.map(({ piece }) => piece.trim()).filter((piece) => piece !== '');
  const without = (text: string) =>
    pieces.reduce((left, piece) => left.replaceAll(piece, '[redacted]'), text);
  return secrets.map(({ finding }) => ({
    ...finding,
    file: without(finding.file),
    excerpt: without(finding.excerpt),
  }));
}

/** For the model, when a scan of the whole change found what the guards of single files had let pass. */
export function describeForModel(findings: Finding[]): string {
  return `The change cannot be proposed, since it has secrets in it:\n${listFindings(findings, describePlace)}\n\n${secretWords.instead} Then finish again.`;
}

/** For the operator, who can let one pass by its fingerprint. */
export function describeForOperator(findings: Finding[]): string {
  const lines = listFindings(findings, (each) => `${describePlace(each)}, ${each.fingerprint}`);
  return `Nothing was pushed:\n${lines}\nMend it, or let it pass with: fettle secrets allow <fingerprint> --reason "…"`;
}

function listFindings(findings: Finding[], describe: (finding: Finding) => string): string {
  const lines = findings.slice(0, maxListed).map((finding) => `- ${describe(finding)}`);
  const rest = findings.length > lines.length ? [`- and ${findings.length - lines.length} more`] : [];
  return [...lines, ...rest].join('\n');
}

const describePlace = ({ file, line, rule, excerpt }: Finding) =>
  `${file}, line ${line}: ${excerpt.slice(0, 120)} (rule ${rule})`;

/** For whoever looks at the proposal: by file and rule, without excerpts and fingerprints, since others read it too. */
export function listSecretRemarks({ known, allowed }: Sorted): Remark[] {
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
    add(secret, `it holds what looks like a secret, and ${allowedBy} lets it pass${until} (“${reason}”)`);
  }
  return [...remarks.values()];
}
