/** The gate before every push: Fettle's scanner and gitleaks both scan everything that would be published. */

import { createWithheldFinder, findWithheld } from '@fettle/check-run';
import { crashPoint } from '@fettle/crash-point';
import { listPushed } from '@fettle/git';
import { decodeText, listSecrets, listWithheldLines, type Redaction, type Secret } from '@fettle/secrets';
import { GitleaksError, type NamedText } from '@fettle/secrets/gitleaks';
import { RetryLater } from '../attempt/ends.ts';
import type { GitleaksScanner } from './gitleaks-scanner.ts';
import type { SortedSecrets, SortSecrets } from './known-secrets.ts';

export interface PushTexts {
  branch: string;
  title: string;
  body: string;
}

export interface PushScanParts {
  mirror: string;
  base: string;
  head: string;
  texts: PushTexts;
  own: Redaction['places'];
  gitleaks: GitleaksScanner;
  sort: SortSecrets;
  signal: AbortSignal;
}

export interface PushScan {
  /** Secrets in the contents and names of the pushed files. */
  files: SortedSecrets;
  /** Secrets in commit messages, the branch name and the pull request, whether the base contains them or not. */
  texts: Secret[];
}

/** How much file content is kept in memory for one run of gitleaks. */
const maxCharacters = 20_000_000;

export async function scanPush(parts: PushScanParts): Promise<PushScan> {
  const { mirror, base, head, texts, own, sort } = parts;
  crashPoint('scanning');
  const findLines = createWithheldFinder(await findWithheld(mirror, base));
  const { commits, blobs, names: paths } = await listPushed({ mirror, base, head });
  const metadata: NamedText[] = [
    { name: 'the branch name', text: texts.branch },
    { name: 'the pull request title', text: texts.title },
    { name: 'the pull request text', text: texts.body },
    ...commits.map(({ text }) => ({ name: 'the commit message', text })),
  ];
  const inFiles: Secret[] = [];
  const names: NamedText[] = paths.map((path) => ({ name: path, text: path }));
  let batchTexts: NamedText[] = [];
  let characters = 0;
  for await (const batch of blobs) {
    for (const { path, bytes } of batch) {
      const file = { name: path, text: decodeText(bytes) };
      const found = listSecrets(file.text, { filename: path, own });
      // Binary data looks random: only a match of a known secret format counts there.
      inFiles.push(...found.filter(({ finding }) => finding.severity === 'high' || !bytes.includes(0)));
      inFiles.push(...listWithheldLines(file.text, findLines, path));
      batchTexts.push(file);
      characters += file.text.length;
    }
    if (characters < maxCharacters) continue;
    inFiles.push(...(await runGitleaks(parts, batchTexts)));
    batchTexts = [];
    characters = 0;
  }
  for (const { name, text } of names) inFiles.push(...listSecrets(text, { filename: name, own }));
  const inTexts = metadata.flatMap(({ name, text }) => [
    ...listSecrets(text, { filename: name, own }),
    ...listWithheldLines(text, findLines, name),
  ]);
  const metadataNames = new Set(metadata.map(({ name }) => name));
  for (const secret of await runGitleaks(parts, [...batchTexts, ...names, ...metadata]))
    (metadataNames.has(secret.finding.file) ? inTexts : inFiles).push(secret);
  const { fresh, known } = await sort(inTexts);
  const files = await sort(inFiles);
  crashPoint('scanned');
  return { files, texts: [...fresh, ...known] };
}

/** Nothing is pushed without gitleaks. The attempt is retried later, when an operator may have fixed it. */
async function runGitleaks(
  { gitleaks, signal }: Pick<PushScanParts, 'gitleaks' | 'signal'>,
  texts: NamedText[],
): Promise<Secret[]> {
  try {
    return await gitleaks.scan(texts, signal);
  } catch (error) {
    if (!(error instanceof GitleaksError)) throw error;
    throw new RetryLater('scanner_unavailable', `${error.message} ${error.advice}`);
  }
}
