/**
 * What becomes of tokens that stand for secrets in the input of a call. They are put back where a file is written, and
 * nowhere else: in a command line, a path or a pattern a secret would get out, and in words for people it stays a token.
 */
import type { JudgedCall } from './hooks.ts';

export type PutBack = { ok: true; texts: string[] } | { ok: false; reason: string };

/** What the model sees of secrets, and how they come back. */
export interface SecretTokens {
  /** A token, or what is left of one, if the text has any. */
  findIn(text: string): string | undefined;
  /** The texts with the secrets that the file had before. */
  putBack(texts: string[], path: string): Promise<PutBack>;
}

export const noSecretTokens: SecretTokens = {
  findIn: () => undefined,
  putBack: async (texts) => ({ ok: true, texts }),
};

type Input = JudgedCall['input'];
type Placed = { ok: true; input: Input } | { ok: false; reason: string };

export async function placeSecrets({ tool, input }: JudgedCall, secrets: SecretTokens): Promise<Placed> {
  if (tool.tokens === 'stay') return { ok: true, input };
  const { path, ...rest } = input;
  const isWritten = tool.tokens === 'put back' && typeof path === 'string';
  const texts = listTexts(isWritten ? path : input);
  for (const text of texts) {
    const token = secrets.findIn(text);
    if (token !== undefined) return { ok: false, reason: `${tool.name} was not run: ${token} ${elsewhere}` };
  }
  if (!isWritten) return { ok: true, input };
  const put = await secrets.putBack(listTexts(rest), path);
  if (!put.ok) return { ok: false, reason: `${tool.name} was not run: ${put.reason}` };
  const left = [...put.texts];
  return { ok: true, input: { path, ...(mapTexts(rest, (text) => left.shift() ?? text) as Input) } };
}

const elsewhere =
  'stands for a secret, which is put back only in what write_file and edit_file write: here it would get out. Name the file or the variable that holds it, or look for what stands around it.';

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

/** In the order in which they are listed. */
function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, map)]));
}
