/** The gate before every push: all that would leave is scanned, by our scanner and by a second, independent one. */
import { crashPoint } from '@fettle/crash-point';
import { listPushed } from '@fettle/git';
import { decodeText, listSecrets, type Redaction, type Secret } from '@fettle/secrets';
import { GitleaksError, type NamedText } from '@fettle/secrets/gitleaks';
import { MustWait } from '../attempt/retry-later.ts';
import type { SecondOpinion } from './gitleaks-scanner.ts';
import type { Sorted, SortSecrets } from './known-secrets.ts';

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
  secondOpinion: SecondOpinion;
  sort: SortSecrets;
  signal: AbortSignal;
}

export interface PushScan {
  /** What stands in files of the commits, and in their names. */
  files: Sorted;
  /** What stands in messages, names and the text of the pull request, whether the base has it or not. */
  texts: Secret[];
}

/** How much of the files is held at once. */
const maxCharacters = 20_000_000;

export async function scanPush(parts: PushScanParts): Promise<PushScan> {
  const { mirror, base, head, texts, own, sort } = parts;
  crashPoint('scanning');
  const { commits, blobs, names: paths } = await listPushed({ mirror, base, head });
  const words: NamedText[] = [
    { name: 'the branch’s name', text: texts.branch },
    { name: 'the pull request’s title', text: texts.title },
    { name: 'the pull request’s text', text: texts.body },
    ...commits.map(({ text }) => ({ name: 'the commit and its message', text })),
  ];
  const inFiles: Secret[] = [];
  const names: NamedText[] = paths.map((path) => ({ name: path, text: path }));
  let waiting: NamedText[] = [];
  let characters = 0;
  for await (const batch of blobs) {
    for (const { path, bytes } of batch) {
      const file = { name: path, text: decodeText(bytes) };
      const sure = listSecrets(file.text, { filename: path, own });
      // Bytes that mean nothing look drawn: of what is binary only what has the form of a secret counts.
      inFiles.push(...sure.filter(({ finding }) => finding.severity === 'high' || !bytes.includes(0)));
      waiting.push(file);
      characters += file.text.length;
    }
    if (characters < maxCharacters) continue;
    inFiles.push(...(await askSecond(parts, waiting)));
    waiting = [];
    characters = 0;
  }
  for (const { name, text } of names) inFiles.push(...listSecrets(text, { filename: name, own }));
  const inTexts = words.flatMap(({ name, text }) => listSecrets(text, { filename: name, own }));
  const isWord = new Set(words.map(({ name }) => name));
  for (const secret of await askSecond(parts, [...waiting, ...names, ...words]))
    (isWord.has(secret.finding.file) ? inTexts : inFiles).push(secret);
  const { fresh, known } = await sort(inTexts);
  const files = await sort(inFiles);
  crashPoint('scanned');
  return { files, texts: [...fresh, ...known] };
}

/** Whatever keeps it from answering may be mended meanwhile; until then nothing is pushed. */
async function askSecond(
  { secondOpinion, signal }: Pick<PushScanParts, 'secondOpinion' | 'signal'>,
  texts: NamedText[],
): Promise<Secret[]> {
  try {
    return await secondOpinion.scan(texts, signal);
  } catch (error) {
    if (!(error instanceof GitleaksError)) throw error;
    throw new MustWait('scanner_unavailable', `${error.message} ${error.advice}`);
  }
}
