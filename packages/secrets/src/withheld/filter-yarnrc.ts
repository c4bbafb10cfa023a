import { findSecrets } from '../find-secrets.ts';
import type { FilteredNpmrc } from './filter-npmrc.ts';

/** Also those of one registry or scope, in block or flow style. A proxy may contain a password. */
const authentication = /\b(?:npmAuth(?:Token|Ident)|https?Proxy)\b["']?\s*:/i;
/** Ways to write a key or a value that a reader of lines does not see. */
const hiddenKey = /^\s*\?\s|"[^"\n]*\\[xuU][^"\n]*"|npmAuth(?:Token|Ident)\b["']?\s*(?:$|#)/im;
const alias = /:\s*\*/;
const timeoutMs = 1_000;

/** Undefined if a secret may remain that is not in lines of its own, so that the whole file must be withheld. */
export function filterYarnrc(text: string, note: string): FilteredNpmrc | undefined {
  if (hiddenKey.test(text)) return undefined;
  const removed: string[] = [];
  /** The indentation of the key whose value goes on in deeper lines. */
  let open: number | undefined;
  const lines = text.split(/\r\n|\r|\n/).map((line) => {
    const indentation = line.search(/\S/);
    const isValue = open !== undefined && (indentation > open || indentation === -1);
    if (!isValue) open = undefined;
    const isKey = authentication.test(line);
    if (isKey && !isValue) open = indentation;
    if (line.trim() === '' || !(isValue || isKey || holdsSecret(line))) return line;
    removed.push(line);
    return `# ${note}`;
  });
  if (removed.length === 0) return { text, removed };
  if (removed.some((line) => alias.test(line) || isSplit(line, text))) return undefined;
  const filtered = lines.join('\n');
  return holdsSecret(filtered) ? undefined : { text: filtered, removed };
}

/** In flow style, a value may follow in a line that is not deeper. */
const isSplit = (line: string, text: string) => text.includes('{') && /:\s*(?:#.*)?$/.test(line);

function holdsSecret(text: string): boolean {
  const { matches, unseenFrom } = findSecrets(text, { timeoutMs });
  return matches.length > 0 || unseenFrom !== undefined;
}
