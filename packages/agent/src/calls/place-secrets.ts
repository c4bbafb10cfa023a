/**
 * Replaces the tokens in a call's input with the secrets that they stand for. This happens only in text that is written
 * to a file: in a command line, a path or a search pattern the secret would leak. Text for people keeps its tokens.
 */
import type { ParsedCall } from './hooks.ts';

export type PutBack = { ok: true; texts: string[] } | { ok: false; reason: string };

/** Maps the tokens that the model sees to secrets. */
export interface SecretTokens {
  /** The first token in the text, or the rest of a damaged one. */
  findIn(text: string): string | undefined;
  /** Returns the texts with the secrets that the file at `path` held before. */
  putBack(texts: string[], path: string): Promise<PutBack>;
}

export const noSecretTokens: SecretTokens = {
  findIn: () => undefined,
  putBack: async (texts) => ({ ok: true, texts }),
};

type Input = ParsedCall['input'];
type Placed = { ok: true; input: Input } | { ok: false; reason: string };

export async function placeSecrets(
  { tool, input, paths }: ParsedCall,
  secrets: SecretTokens,
): Promise<Placed> {
  if (tool.tokens === 'stay') return { ok: true, input };
  const written = tool.tokens === 'put back' ? writtenFile(paths) : undefined;
  const isPath = (text: unknown) => paths.some(({ path }) => path === text);
  const content = Object.fromEntries(Object.entries(input).filter(([, value]) => !isPath(value)));
  const texts = written === undefined ? listTexts(input) : paths.map(({ path }) => path);
  for (const text of texts) {
    const token = secrets.findIn(text);
    if (token !== undefined) return { ok: false, reason: `${tool.name} was not run: ${token} ${notHere}` };
  }
  if (written === undefined) return { ok: true, input };
  const put = await secrets.putBack(listTexts(content), written);
  if (!put.ok) return { ok: false, reason: `${tool.name} was not run: ${put.reason}` };
  const left = [...put.texts];
  return { ok: true, input: { ...input, ...(mapTexts(content, (text) => left.shift() ?? text) as Input) } };
}

const notHere =
  'stands for a secret. Fettle puts secrets back only into text that write_file and edit_file write, because the secret would leak here. Use the name of the file or variable that holds it, or search for the text around it.';

/** The file that gets the content. With several, it would be unclear which of them held the secrets. */
function writtenFile(paths: ParsedCall['paths']): string | undefined {
  const [first, ...others] = paths.filter(({ access }) => access === 'write');
  return others.length === 0 ? first?.path : undefined;
}

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

/** Visits the texts in the same order as `listTexts`. */
function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, map)]));
}
