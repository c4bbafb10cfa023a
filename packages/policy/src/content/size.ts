import type { ContentCheck, ContentFile, ContentOptions } from './content-rule.ts';

const defaultMaxBytes = 5_000_000;
/** Scanners skip longer lines, and nobody reads them. */
const maxLineLength = 1_000_000;

/** A file that was already this large may stay as large. */
export function isTooLarge({ before, after }: ContentFile, { maxBytes = defaultMaxBytes }: ContentOptions) {
  return after.length > Math.max(maxBytes, before?.length ?? 0);
}

export const findLongLines: ContentCheck = ({ added }) => {
  const long = added.find(({ text }) => text.length > maxLineLength);
  return long ? [{ rule: 'long-line', line: long.number, token: `${long.text.length} characters` }] : [];
};
